package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.json.JsonObject;
import java.io.InputStream;
import java.util.function.Consumer;

/// Decodes lists and watches of a kind, into records or JSON objects.
sealed interface ListWatch<T> permits RecordListWatch, JsonListWatch {

    /// The watched resource.
    ResourcePath address();

    /// Decodes a page of a list and passes on its objects.
    ///
    /// @param version API version of the server
    /// @throws java.io.UncheckedIOException when the stream fails
    Decoded<ListHead> list(String version, InputStream page, Consumer<Decoded<T>> objects);

    /// Decodes a line of a JSON watch.
    Decoded<WatchEvent<T>> event(String version, byte[] line);

    /// Converts a list item that was decoded already.
    Decoded<T> object(String version, JsonObject item);

    /// Converts a watch event that was decoded already.
    Decoded<WatchEvent<T>> event(String version, String type, JsonObject object);

    /// The resourceVersion of an object.
    String revision(T object);
}
