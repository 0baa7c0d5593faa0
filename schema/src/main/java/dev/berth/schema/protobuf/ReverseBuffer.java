package dev.berth.schema.protobuf;

import com.google.protobuf.WireFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Byte buffer that is written from the end to the start. The length of a nested message is known
/// when its prefix is written, so that messages need not be measured first.
final class ReverseBuffer {

    private static final int SHORT_STRING = 48;

    private byte[] bytes;
    private int start;

    ReverseBuffer(int expectedBytes) {
        bytes = new byte[Math.max(expectedBytes, 64)];
        start = bytes.length;
    }

    /// Number of bytes written so far.
    int length() {
        return bytes.length - start;
    }

    byte[] toBytes() {
        return Arrays.copyOfRange(bytes, start, bytes.length);
    }

    private void reserve(int count) {
        if (start < count) {
            var length = length();
            var larger = new byte[Math.max(2 * bytes.length, length + count)];
            System.arraycopy(bytes, start, larger, larger.length - length, length);
            start = larger.length - length;
            bytes = larger;
        }
    }

    void put(int one) {
        reserve(1);
        bytes[--start] = (byte) one;
    }

    void put(byte[] all) {
        reserve(all.length);
        start -= all.length;
        System.arraycopy(all, 0, bytes, start, all.length);
    }

    private void varint(long value) {
        var length = varintLength(value);
        reserve(length);
        start -= length;
        var at = start;
        var rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at] = (byte) rest;
    }

    static int varintLength(long value) {
        return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
    }

    /// A 64-bit value, its lowest byte first.
    private void fixed64(long value) {
        reserve(Long.BYTES);
        for (var shift = 56; shift >= 0; shift -= 8) {
            bytes[--start] = (byte) (value >>> shift);
        }
    }

    /// The text in UTF-8, without its length.
    private void text(String text) {
        var length = text.length();
        if (length > SHORT_STRING || !ascii(text, length)) {
            put(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Writes the text if all its characters are ASCII.
    private boolean ascii(String text, int length) {
        reserve(length);
        var at = start;
        for (var i = length - 1; i >= 0; i--) {
            var c = text.charAt(i);
            if (c >= 0x80) {
                return false;
            }
            bytes[--at] = (byte) c;
        }
        start = at;
        return true;
    }

    private void tag(int number, int wireType) {
        varint((long) number << 3 | wireType);
    }

    /// Tag and length of a value.
    void head(int number, int length) {
        varint(length);
        tag(number, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    }

    /// Tag and length of the bytes written since a position.
    ///
    /// @param end length of the buffer at that position
    void prefix(int number, int end) {
        head(number, length() - end);
    }

    void stringField(int number, String text) {
        var end = length();
        text(text);
        prefix(number, end);
    }

    void bytesField(int number, byte[] bytes) {
        put(bytes);
        head(number, bytes.length);
    }

    void boolField(int number, boolean value) {
        put(value ? 1 : 0);
        tag(number, WireFormat.WIRETYPE_VARINT);
    }

    void varintField(int number, long value) {
        varint(value);
        tag(number, WireFormat.WIRETYPE_VARINT);
    }

    void doubleField(int number, double value) {
        fixed64(Double.doubleToLongBits(value));
        tag(number, WireFormat.WIRETYPE_FIXED64);
    }
}
