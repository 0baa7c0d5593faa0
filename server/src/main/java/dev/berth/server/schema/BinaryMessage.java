package dev.berth.server.schema;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes a protobuf message field by field, without a message type.
final class BinaryMessage {

    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @CanIgnoreReturnValue
    BinaryMessage text(int number, String text) {
        return text.isEmpty() ? this : bytes(number, text.getBytes(StandardCharsets.UTF_8));
    }

    @CanIgnoreReturnValue
    BinaryMessage texts(int number, List<String> texts) {
        texts.forEach(text -> text(number, text));
        return this;
    }

    @CanIgnoreReturnValue
    BinaryMessage flag(int number, boolean flag) {
        return flag ? number(number, 1) : this;
    }

    @CanIgnoreReturnValue
    BinaryMessage number(int number, long value) {
        varint((long) number << 3 | VARINT);
        varint(value);
        return this;
    }

    @CanIgnoreReturnValue
    BinaryMessage message(int number, BinaryMessage message) {
        return bytes(number, message.bytes());
    }

    private BinaryMessage bytes(int number, byte[] bytes) {
        varint((long) number << 3 | LENGTH_DELIMITED);
        varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    private void varint(long value) {
        var rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
