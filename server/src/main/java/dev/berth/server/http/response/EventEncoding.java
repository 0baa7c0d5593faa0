package dev.berth.server.http.response;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.protobuf.MessageBytes;
import dev.berth.schema.protobuf.ProtobufCodec;
import dev.berth.server.http.request.RequestBodies;
import dev.berth.server.registry.ServedObjects;
import dev.berth.server.registry.WatchEventKey;
import dev.berth.server.store.Entry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Encodings of watch events.
public sealed interface EventEncoding {

    /// The media type of the stream.
    String type();

    /// An event with a stored object in its stored form.
    byte[] event(String type, Entry entry);

    /// An event with any object.
    byte[] event(String type, JsonObject object);

    /// True when an event is sent as a text message over WebSocket.
    boolean isText();

    /// An event without its delimiter or length prefix, for transports with messages.
    ByteBuffer message(byte[] event);

    static EventEncoding of(ObjectRendering rendering) {
        return switch (rendering.media().encoding()) {
            case PROTOBUF -> new Protobuf(rendering);
            case JSON, YAML -> new Text(rendering);
        };
    }

    /// JSON objects, one per line.
    record Text(ObjectRendering rendering) implements EventEncoding {

        private static final byte[] END = "}\n".getBytes(StandardCharsets.US_ASCII);

        @Override
        public String type() {
            return RequestBodies.JSON;
        }

        @Override
        public byte[] event(String type, Entry entry) {
            return ServedObjects.event(
                    entry,
                    new WatchEventKey(type, type(), rendering.version()),
                    () -> line(type, entry));
        }

        private byte[] line(String type, Entry entry) {
            var object = ServedObjects.bytes(rendering.resource(), entry);
            var bytes = new ByteArrayOutputStream(object.length + 40);
            bytes.writeBytes(
                    ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(object);
            bytes.writeBytes(END);
            return bytes.toByteArray();
        }

        @Override
        public byte[] event(String type, JsonObject object) {
            return (JsonWriter.compact(JsonObject.of("type", Json.of(type)).with("object", object))
                            + "\n")
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean isText() {
            return true;
        }

        @Override
        public ByteBuffer message(byte[] event) {
            return ByteBuffer.wrap(event, 0, event.length - 1);
        }
    }

    /// `WatchEvent` messages, each with a length prefix of four bytes.
    record Protobuf(ObjectRendering rendering) implements EventEncoding {

        private static final String TYPE =
                MediaNegotiation.Encoding.PROTOBUF.type() + ";stream=watch";

        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public byte[] event(String type, Entry entry) {
            return ServedObjects.event(
                    entry,
                    new WatchEventKey(type, TYPE, rendering.version()),
                    () -> frame(type, entry));
        }

        private byte[] frame(String type, Entry entry) {
            var object =
                    rendering.protobuf().encoded(rendering.resource(), rendering.version(), entry);
            return frame(type, object.bytes());
        }

        @Override
        public byte[] event(String type, JsonObject object) {
            return frame(type, ProtobufCodec.builtIn().encode(object));
        }

        private static byte[] frame(String type, byte[] object) {
            var head = MessageBytes.watchEventHead(type, object.length);
            var length = head.length + object.length;
            return ByteBuffer.allocate(Integer.BYTES + length)
                    .putInt(length)
                    .put(head)
                    .put(object)
                    .array();
        }

        @Override
        public boolean isText() {
            return false;
        }

        @Override
        public ByteBuffer message(byte[] event) {
            return ByteBuffer.wrap(event, Integer.BYTES, event.length - Integer.BYTES);
        }
    }
}
