package dev.berth.model.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// Writes ASN.1 DER, as far as certificates need it. Each method returns one complete value: tag,
/// length, content.
public final class Der {

    private static final int CONSTRUCTED = 0x20;
    private static final int CONTEXT = 0x80;

    /// From this year on certificates use GeneralizedTime, with four digits of the year.
    private static final int FIRST_LONG_YEAR = 2050;

    private static final DateTimeFormatter SHORT_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    public static byte[] sequence(byte[]... values) {
        return value(0x30, joined(values));
    }

    public static byte[] set(byte[]... values) {
        return value(0x31, joined(values));
    }

    public static byte[] bool(boolean value) {
        return value(0x01, new byte[] {(byte) (value ? 0xff : 0)});
    }

    public static byte[] integer(BigInteger value) {
        return value(0x02, value.toByteArray());
    }

    public static byte[] octets(byte[] content) {
        return value(0x04, content);
    }

    /// A BIT STRING whose last bits are unused.
    public static byte[] bits(int unused, byte... content) {
        return value(0x03, joined(new byte[] {(byte) unused}, content));
    }

    public static byte[] utf8(String text) {
        return value(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    public static byte[] time(Instant time) {
        return time.atOffset(ZoneOffset.UTC).getYear() < FIRST_LONG_YEAR
                ? value(0x17, ascii(SHORT_TIME.format(time)))
                : value(0x18, ascii(LONG_TIME.format(time)));
    }

    /// An object identifier, such as `2.5.4.3` for a common name.
    public static byte[] oid(String dotted) {
        var arcs = dotted.split("\\.", -1);
        var content = new ByteArrayOutputStream();
        base128(content, 40 * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
        for (var i = 2; i < arcs.length; i++) {
            base128(content, Integer.parseInt(arcs[i]));
        }
        return value(0x06, content.toByteArray());
    }

    /// A constructed context-specific value (explicit tag).
    public static byte[] tagged(int number, byte[]... values) {
        return value(CONTEXT | CONSTRUCTED | number, joined(values));
    }

    /// A primitive context-specific value (implicit tag).
    public static byte[] taggedPlain(int number, byte[] content) {
        return value(CONTEXT | number, content);
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] value(int tag, byte[] content) {
        var out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        length(out, content.length);
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static void length(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        var bytes = (32 - Integer.numberOfLeadingZeros(length) + 7) / 8;
        out.write(0x80 | bytes);
        for (var i = bytes - 1; i >= 0; i--) {
            out.write(length >>> (8 * i));
        }
    }

    private static void base128(ByteArrayOutputStream out, int value) {
        for (var shift = 28; shift > 0; shift -= 7) {
            if (value >>> shift != 0) {
                out.write(0x80 | (value >>> shift & 0x7f));
            }
        }
        out.write(value & 0x7f);
    }

    private static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
