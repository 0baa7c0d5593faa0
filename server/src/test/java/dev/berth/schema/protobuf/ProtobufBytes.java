package dev.berth.schema.protobuf;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Encodes protobuf messages field by field, as Go clients do.
public final class ProtobufBytes {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

    private interface Write {
        void run() throws IOException;
    }

    private ProtobufBytes write(Write write) {
        try {
            write.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProtobufBytes text(int number, String text) {
        return write(() -> out.writeString(number, text));
    }

    public ProtobufBytes number(int number, long value) {
        return write(() -> out.writeInt64(number, value));
    }

    public ProtobufBytes real(int number, double value) {
        return write(() -> out.writeDouble(number, value));
    }

    public ProtobufBytes flag(int number, boolean value) {
        return write(() -> out.writeBool(number, value));
    }

    public ProtobufBytes raw(int number, byte[] value) {
        return write(() -> out.writeByteArray(number, value));
    }

    public ProtobufBytes message(int number, ProtobufBytes message) {
        return raw(number, message.bytes());
    }

    /// A map entry of two strings.
    public ProtobufBytes entry(int number, String key, String value) {
        return message(number, new ProtobufBytes().text(1, key).text(2, value));
    }

    public byte[] bytes() {
        write(out::flush);
        return bytes.toByteArray();
    }

    /// A request body: the bytes that mark the encoding, the type and the object.
    public static byte[] body(String apiVersion, String kind, ProtobufBytes object) {
        var type = new ProtobufBytes().text(1, apiVersion).text(2, kind);
        return body(new ProtobufBytes().message(1, type).message(2, object));
    }

    /// A request body with an envelope of one's own.
    public static byte[] body(ProtobufBytes envelope) {
        var body = new ByteArrayOutputStream();
        body.writeBytes("k8s\0".getBytes(StandardCharsets.US_ASCII));
        body.writeBytes(envelope.bytes());
        return body.toByteArray();
    }

    /// Metadata with the empty strings and zeros that Go writes for fields that are not set.
    public static ProtobufBytes metadata(String name) {
        return new ProtobufBytes()
                .text(1, name)
                .text(2, "")
                .text(3, "default")
                .text(4, "")
                .text(5, "")
                .text(6, "")
                .number(7, 0)
                .message(8, new ProtobufBytes());
    }
}
