package dev.berth.model.certificate;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/// Reads ASN.1 DER values sequentially.
final class DerReader {

    static final int INTEGER = 0x02;
    static final int BITS = 0x03;
    static final int OID = 0x06;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private static final int MAX_LENGTH_BYTES = 3;

    /// One value.
    ///
    /// @param whole tag, length and content
    @SuppressWarnings("ArrayRecordComponent")
    record Value(int tag, byte[] whole, byte[] content) {

        /// Reads the values inside.
        DerReader inside() {
            return new DerReader(content);
        }

        /// An object identifier in the form `1.2.840`.
        String oid() throws GeneralSecurityException {
            if (tag != OID || content.length == 0) {
                throw new GeneralSecurityException("an object identifier is missing");
            }
            var text = new StringBuilder();
            var arc = 0L;
            for (var one : content) {
                if (arc > Integer.MAX_VALUE) {
                    throw new GeneralSecurityException("an object identifier is too long");
                }
                arc = arc << 7 | (one & 0x7f);
                if ((one & 0x80) == 0) {
                    if (text.isEmpty()) {
                        var first = Math.min(arc / 40, 2);
                        text.append(first).append('.').append(arc - 40 * first);
                    } else {
                        text.append('.').append(arc);
                    }
                    arc = 0;
                }
            }
            return text.toString();
        }

        /// A string of one of the types that names consist of.
        String text() throws GeneralSecurityException {
            return switch (tag) {
                case 0x0c -> new String(content, StandardCharsets.UTF_8);
                case 0x12, 0x13, 0x14, 0x16 -> new String(content, StandardCharsets.ISO_8859_1);
                case 0x1e -> new String(content, StandardCharsets.UTF_16BE);
                default ->
                        throw new GeneralSecurityException(
                                "a name has a value of the unknown type " + tag);
            };
        }
    }

    private final byte[] bytes;
    private int position;

    DerReader(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasNext() {
        return position < bytes.length;
    }

    Value next() throws GeneralSecurityException {
        var start = position;
        var tag = octet();
        var length = octet();
        if (length >= 0x80) {
            var count = length & 0x7f;
            if (count == 0 || count > MAX_LENGTH_BYTES) {
                throw new GeneralSecurityException("a length has %d bytes".formatted(count));
            }
            length = 0;
            for (var i = 0; i < count; i++) {
                length = length << 8 | octet();
            }
        }
        if (length > bytes.length - position) {
            throw new GeneralSecurityException("a value ends too early");
        }
        var from = position;
        position += length;
        return new Value(
                tag,
                Arrays.copyOfRange(bytes, start, position),
                Arrays.copyOfRange(bytes, from, position));
    }

    Value next(int tag) throws GeneralSecurityException {
        var value = next();
        if (value.tag != tag) {
            throw new GeneralSecurityException(
                    "a value has the type %d, expected %d".formatted(value.tag, tag));
        }
        return value;
    }

    private int octet() throws GeneralSecurityException {
        if (position == bytes.length) {
            throw new GeneralSecurityException("a value ends too early");
        }
        return bytes[position++] & 0xff;
    }
}
