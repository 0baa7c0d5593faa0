package dev.berth.client.http;

import dev.berth.model.codec.Decoded;
import dev.berth.model.codec.ListHead;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/// JSON, the encoding that every kind and every server supports.
final class JsonEncoding implements BodyEncoding {

    @Override
    public Optional<HttpCall.Body> body(JsonObject object) {
        return Optional.of(HttpCall.Body.of(HttpCall.JSON, JsonWriter.compact(object)));
    }

    @Override
    public JsonObject object(byte[] body) {
        return ApiResponses.object(body);
    }

    @Override
    public <T> Decoded<ListHead> list(
            ListWatch<T> source, String version, InputStream page, Consumer<Decoded<T>> objects) {
        return source.list(version, page, objects);
    }

    @Override
    public <T> Events<T> events(ListWatch<T> source, String version, InputStream watch) {
        var lines = new LineReader(watch);
        return () -> lines.next().map(line -> source.event(version, line));
    }
}
