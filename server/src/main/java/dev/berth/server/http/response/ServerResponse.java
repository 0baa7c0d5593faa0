package dev.berth.server.http.response;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.YamlWriter;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.http.response.MediaNegotiation.Encoding;
import dev.berth.server.registry.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The response to an API request.
public sealed interface ServerResponse {

    /// Releases the resources of a response that has ended or will not be sent.
    default void release() {}

    /// A complete response.
    ///
    /// @param warnings shown to the user by clients
    record Content(int status, String type, Body body, List<String> warnings)
            implements ServerResponse {
        public Content {
            warnings = List.copyOf(warnings);
        }

        /// The encoded body. Callers must not modify the array.
        public byte[] bytes() {
            return switch (body) {
                case Body.Text(var bytes) -> bytes;
                case Body.Value(var json, var encoding) -> encoded(json, encoding);
                case Body.Streamed(var list) -> list.bytes();
            };
        }
    }

    /// The body of a response. A value is encoded only when it leaves the process.
    sealed interface Body {

        @SuppressWarnings("ArrayRecordComponent")
        record Text(byte[] bytes) implements Body {}

        record Value(Json json, Encoding encoding) implements Body {}

        /// A list that is too large to be in memory as text.
        record Streamed(StreamedList list) implements Body {}
    }

    /// A stream of watch events.
    record WatchStream(WatchFeed feed) implements ServerResponse {
        @Override
        public void release() {
            feed.close();
        }
    }

    /// A stream of bytes of unknown length. The receiver has to release it.
    record ByteStream(String type, InputStream from) implements ServerResponse {

        private static final Logger LOG = LoggerFactory.getLogger(ByteStream.class);

        @Override
        public void release() {
            try {
                from.close();
            } catch (IOException e) {
                LOG.debug("closing a stream of a node failed", e);
            }
        }
    }

    /// A WebSocket session between the client and a node.
    record NodeProxy(NodeProxySession session) implements ServerResponse {}

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

    static Content error(ApiError error) {
        return error(error, MediaNegotiation.JSON);
    }

    static Content error(ApiError error, MediaNegotiation media) {
        return of(error.code(), error.toJson(), media, List.of());
    }
}
