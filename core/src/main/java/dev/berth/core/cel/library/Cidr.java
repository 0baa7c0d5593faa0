package dev.berth.core.cel.library;

import dev.berth.core.text.GoText;
import dev.cel.common.types.CelType;

/// A CIDR block: an address and a prefix length.
public record Cidr(Ip ip, int prefix) implements KubernetesCelValue {

    private static final String PARSE_ERROR =
            "network address parse error during conversion from string: ";

    /// Parses a CIDR block; a [CelError] when the text is malformed.
    static Object parse(String text) {
        var slash = text.lastIndexOf('/');
        if (slash < 0) {
            return malformed(text, "no '/'");
        }
        return switch (IpSyntax.parse(text.substring(0, slash))) {
            case IpSyntax.Malformed(var reason) -> malformed(text, reason);
            case IpSyntax.Parsed(_, var zone) when !zone.isEmpty() ->
                    malformed(text, "IPv6 zones cannot be present in a prefix");
            case IpSyntax.Parsed(var ip, _) -> withPrefix(text, ip, text.substring(slash + 1));
        };
    }

    private static Object withPrefix(String text, Ip ip, String bits) {
        // No sign, no leading zero, at most the digits of a prefix length.
        if (!bits.matches("0|[1-9][0-9]{0,8}")) {
            return malformed(text, "bad bits after slash: " + GoText.quote(bits));
        }
        var prefix = Integer.parseInt(bits);
        if (prefix > ip.bits()) {
            return malformed(text, "prefix length out of range");
        }
        return ip.isV4InV6()
                ? new CelError(PARSE_ERROR + Ip.mapped(text).message())
                : new Cidr(ip, prefix);
    }

    private static CelError malformed(String text, String reason) {
        // The message of Kubernetes contains it twice.
        return new CelError(
                PARSE_ERROR
                        + PARSE_ERROR
                        + "netip.ParsePrefix(%s): %s".formatted(GoText.quote(text), reason));
    }

    Cidr masked() {
        return new Cidr(ip.masked(prefix), prefix);
    }

    boolean contains(Ip other) {
        return ip.isV4() == other.isV4() && ip.masked(prefix).equals(other.masked(prefix));
    }

    boolean contains(Cidr other) {
        return prefix <= other.prefix && contains(other.ip);
    }

    @Override
    public CelType celType() {
        return CelTypes.CIDR;
    }

    /// Number of bytes that the prefix covers.
    @Override
    public long costSize() {
        return Math.ceilDiv(prefix, Byte.SIZE);
    }

    @Override
    public String toString() {
        return ip + "/" + prefix;
    }
}
