package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.http.MediaNegotiation.Encoding;
import dev.berth.server.registry.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is answered.
public sealed interface ServerResponse {

    /// Ends what goes on, when nobody is going to hear it.
    default void giveUp() {}

    /// Everything at once.
    ///
    /// @param warnings for the person who asked
    record Content(int status, String type, Body body, List<String> warnings)
            implements ServerResponse {
        public Content {
            warnings = List.copyOf(warnings);
        }

        /// The text to send. It must not be changed by anybody.
        byte[] bytes() {
            return switch (body) {
                case Body.Text(var bytes) -> bytes;
                case Body.Value(var json, var encoding) -> encoded(json, encoding);
                case Body.Streamed(var list) -> list.bytes();
            };
        }
    }

    /// What an answer holds. A value becomes text only when somebody outside wants it.
    sealed interface Body {

        @SuppressWarnings("ArrayRecordComponent")
        record Text(byte[] bytes) implements Body {}

        record Value(Json json, Encoding encoding) implements Body {}

        /// A list that is too large to be in memory as text.
        record Streamed(StreamedList list) implements Body {}
    }

    /// Changes as they happen.
    record Watching(WatchFeed feed) implements ServerResponse {
        @Override
        public void giveUp() {
            feed.close();
        }
    }

    /// Bytes as they come, of a length that nobody knows. Whoever gets it gives it up in the end.
    record Flowing(String type, InputStream from) implements ServerResponse {

        private static final Logger LOG = LoggerFactory.getLogger(Flowing.class);

        @Override
        public void giveUp() {
            try {
                from.close();
            } catch (IOException e) {
                LOG.debug("a stream from a node did not close", e);
            }
        }
    }

    /// A conversation between the client and a node.
    record Conversing(NodeProxySession talk) implements ServerResponse {}

    static Content of(int status, Json value, MediaNegotiation media, List<String> warnings) {
        var encoding = isEncodable(value, media.encoding()) ? media.encoding() : Encoding.JSON;
        return new Content(status, encoding.type(), new Body.Value(value, encoding), warnings);
    }

    /// Objects without a protobuf encoding are sent as JSON.
    private static boolean isEncodable(Json value, Encoding encoding) {
        return encoding != Encoding.PROTOBUF
                || (value instanceof JsonObject object
                        && ProtobufCodec.builtIn()
                                .knows(object.text("apiVersion"), object.text("kind")));
    }

    private static byte[] encoded(Json value, Encoding encoding) {
        return switch (encoding) {
            case JSON -> (JsonWriter.compact(value) + "\n").getBytes(StandardCharsets.UTF_8);
            case YAML -> YamlWriter.write(value).getBytes(StandardCharsets.UTF_8);
            case PROTOBUF -> ProtobufCodec.builtIn().encode((JsonObject) value);
        };
    }

    static Content bytes(int status, String type, byte[] bytes) {
        return new Content(status, type, new Body.Text(bytes), List.of());
    }

    static Content json(int status, Json value) {
        return of(status, value, MediaNegotiation.JSON, List.of());
    }

    static Content text(int status, String text) {
        return bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    static Content failure(ApiError failure) {
        return failure(failure, MediaNegotiation.JSON);
    }

    static Content failure(ApiError failure, MediaNegotiation media) {
        return of(failure.code(), failure.toJson(), media, List.of());
    }
}
