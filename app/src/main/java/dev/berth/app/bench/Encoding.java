package dev.berth.app.bench;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.protobuf.ProtobufCodec;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The encoding of request and response bodies.
enum Encoding {
    JSON("application/json", "application/json"),
    PROTOBUF(
            "application/vnd.kubernetes.protobuf",
            "application/vnd.kubernetes.protobuf;stream=watch");

    private final String mediaType;
    private final String watchType;

    Encoding(String mediaType, String watchType) {
        this.mediaType = mediaType;
        this.watchType = watchType;
    }

    String mediaType() {
        return mediaType;
    }

    /// The media type of the events of a watch.
    String watchType() {
        return watchType;
    }

    /// An object in this encoding.
    byte[] body(String json) {
        var text = json.getBytes(StandardCharsets.UTF_8);
        return switch (this) {
            case JSON -> text;
            case PROTOBUF -> ProtobufCodec.builtIn().encode(object(text));
        };
    }

    private static JsonObject object(byte[] text) {
        if (JsonReader.readUnplaced(text) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException("an object of the benchmark is malformed");
    }

    /// A counter of the events in the bytes of a watch.
    EventCounter counter() {
        return switch (this) {
            case JSON -> new EventCounter.OfLines();
            case PROTOBUF -> new EventCounter.OfFrames();
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
