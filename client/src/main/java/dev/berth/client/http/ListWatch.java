package dev.berth.client.http;

import dev.berth.client.ResourcePath;
import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.json.JsonObject;
import java.io.InputStream;
import java.util.function.Consumer;

/// Reads lists and watches of a kind, as records or as trees.
sealed interface ListWatch<T> permits RecordListWatch, JsonListWatch {

    /// What is followed.
    ResourcePath address();

    /// Reads a page of a list, and hands out its objects.
    ///
    /// @param version the server's
    /// @throws java.io.UncheckedIOException when the stream fails
    Decoded<ListHead> list(String version, InputStream page, Consumer<Decoded<T>> objects);

    /// Reads a line of a watch.
    Decoded<WatchEvent<T>> event(String version, byte[] line);

    /// Reads an item of a list that was decoded already.
    Decoded<T> object(String version, JsonObject item);

    /// Reads an event of a watch that was decoded already.
    Decoded<WatchEvent<T>> event(String version, String type, JsonObject object);

    /// The resourceVersion of an object.
    String revision(T object);
}
