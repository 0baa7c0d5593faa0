package dev.berth.client.http;

import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.codec.WatchEvent;
import dev.berth.model.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/// An encoding of objects, lists and watch events.
interface BodyEncoding {

    /// Encodes an object; empty when its kind has no such encoding.
    Optional<HttpCall.Body> body(JsonObject object);

    /// Decodes an object; an empty one when the bytes are not an object.
    JsonObject object(byte[] body);

    /// Decodes a page of a list and passes on its objects.
    ///
    /// @param version API version of the server
    <T> Decoded<ListHead> list(
            ListWatch<T> source, String version, InputStream page, Consumer<Decoded<T>> objects)
            throws IOException;

    /// Decodes a watch.
    <T> Events<T> events(ListWatch<T> source, String version, InputStream watch);

    /// The events of a watch.
    @FunctionalInterface
    interface Events<T> {

        /// The next event; empty at the end of the watch.
        Optional<Decoded<WatchEvent<T>>> next() throws IOException;
    }
}
