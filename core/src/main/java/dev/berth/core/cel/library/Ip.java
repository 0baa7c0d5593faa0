package dev.berth.core.cel.library;

import dev.berth.core.text.GoText;
import dev.cel.common.types.CelType;
import java.util.Arrays;
import java.util.StringJoiner;

/// An IPv4 or IPv6 address without zone: 4 or 16 bytes.
public final class Ip implements KubernetesCelValue {

    private static final int V4_BYTES = 4;
    private static final int GROUPS = 8;

    private final byte[] bytes;

    private Ip(byte[] bytes) {
        this.bytes = bytes;
    }

    static Ip of(byte[] bytes) {
        return new Ip(bytes.clone());
    }

    /// Parses an address; a [CelError] when the text is malformed.
    static Object parse(String text) {
        return switch (IpSyntax.parse(text)) {
            case IpSyntax.Malformed(var reason) ->
                    new CelError(
                            "IP Address %s parse error during conversion from string: %s"
                                    .formatted(GoText.quote(text), reason));
            case IpSyntax.Parsed(_, var zone) when !zone.isEmpty() ->
                    new CelError(
                            "IP address %s with zone value is not allowed"
                                    .formatted(GoText.quote(text)));
            case IpSyntax.Parsed(var ip, _) -> ip.isV4InV6() ? mapped(text) : ip;
        };
    }

    static CelError mapped(String text) {
        return new CelError(
                "IPv4-mapped IPv6 address %s is not allowed".formatted(GoText.quote(text)));
    }

    boolean isV4() {
        return bytes.length == V4_BYTES;
    }

    /// Whether the address is IPv4-mapped: `::ffff:1.2.3.4`.
    boolean isV4InV6() {
        return !isV4() && group(5) == 0xffff && Arrays.equals(bytes, 0, 10, new byte[10], 0, 10);
    }

    int bits() {
        return bytes.length * Byte.SIZE;
    }

    long family() {
        return isV4() ? 4 : 6;
    }

    boolean isUnspecified() {
        return Arrays.equals(bytes, new byte[bytes.length]);
    }

    boolean isLoopback() {
        if (isV4()) {
            return octet(0) == 127;
        }
        var loopback = new byte[bytes.length];
        loopback[bytes.length - 1] = 1;
        return Arrays.equals(bytes, loopback);
    }

    boolean isMulticast() {
        return isV4() ? (octet(0) & 0xf0) == 0xe0 : octet(0) == 0xff;
    }

    boolean isLinkLocalMulticast() {
        return isV4()
                ? octet(0) == 224 && octet(1) == 0 && octet(2) == 0
                : (group(0) & 0xff0f) == 0xff02;
    }

    boolean isLinkLocalUnicast() {
        return isV4() ? octet(0) == 169 && octet(1) == 254 : (group(0) & 0xffc0) == 0xfe80;
    }

    boolean isGlobalUnicast() {
        return !isUnspecified()
                && !isBroadcast()
                && !isLoopback()
                && !isMulticast()
                && !isLinkLocalUnicast();
    }

    private boolean isBroadcast() {
        return isV4() && octet(0) == 255 && octet(1) == 255 && octet(2) == 255 && octet(3) == 255;
    }

    /// The address masked to its first bits.
    Ip masked(int prefix) {
        var result = bytes.clone();
        for (var i = 0; i < result.length; i++) {
            var keep = Math.clamp(prefix - (long) i * Byte.SIZE, 0, Byte.SIZE);
            result[i] &= (byte) (0xff << (Byte.SIZE - keep));
        }
        return new Ip(result);
    }

    private int octet(int index) {
        return bytes[index] & 0xff;
    }

    private int group(int index) {
        return octet(2 * index) << Byte.SIZE | octet(2 * index + 1);
    }

    @Override
    public CelType celType() {
        return CelTypes.IP;
    }

    @Override
    public long costSize() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ip that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The canonical text form.
    @Override
    public String toString() {
        if (!isV4()) {
            return v6();
        }
        var dotted = new StringJoiner(".");
        for (var i = 0; i < V4_BYTES; i++) {
            dotted.add(Integer.toString(octet(i)));
        }
        return dotted.toString();
    }

    /// Formats the longest run of zero groups as `::`, the first one if there are several.
    private String v6() {
        var from = -1;
        var length = 1;
        for (var i = 0; i < GROUPS; i++) {
            var run = 0;
            while (i + run < GROUPS && group(i + run) == 0) {
                run++;
            }
            if (run > length) {
                from = i;
                length = run;
            }
        }
        return from < 0
                ? groups(0, GROUPS)
                : groups(0, from) + "::" + groups(from + length, GROUPS);
    }

    private String groups(int from, int to) {
        var joined = new StringJoiner(":");
        for (var i = from; i < to; i++) {
            joined.add(Integer.toHexString(group(i)));
        }
        return joined.toString();
    }
}
