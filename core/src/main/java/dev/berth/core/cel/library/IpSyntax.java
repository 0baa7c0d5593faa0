package dev.berth.core.cel.library;

import dev.berth.core.text.GoText;
import java.util.Arrays;

/// Parser of IP addresses: dotted decimal, or groups of hexadecimal digits with one `::`.
final class IpSyntax {

    /// Result of parsing.
    sealed interface Result {}

    record Parsed(Ip ip, String zone) implements Result {}

    record Malformed(String reason) implements Result {}

    private static final int V6_BYTES = 16;

    private final String text;

    /// The unparsed rest of an IPv6 address.
    private String rest;

    private final String zone;
    private final byte[] bytes = new byte[V6_BYTES];
    private int filled;

    /// Byte position of `::`; -1 if it has not occurred yet.
    private int gap = -1;

    private IpSyntax(String text, String address, String zone) {
        this.text = text;
        this.rest = address;
        this.zone = zone;
    }

    static Result parse(String text) {
        for (var i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case '.' -> {
                    return v4(text);
                }
                case ':' -> {
                    return v6(text);
                }
                case '%' -> {
                    return malformed(text, "missing IPv6 address");
                }
                default -> {}
            }
        }
        return malformed(text, "unable to parse IP");
    }

    private static Result v4(String text) {
        var bytes = new byte[4];
        var problem = octets(text, text, bytes, 0);
        return problem.isEmpty() ? new Parsed(Ip.of(bytes), "") : new Malformed(problem);
    }

    /// Parses four bytes; returns the error, or empty.
    private static String octets(String text, String dotted, byte[] target, int offset) {
        var value = 0;
        var position = 0;
        var digits = 0;
        for (var i = 0; i < dotted.length(); i++) {
            var c = dotted.charAt(i);
            if (c >= '0' && c <= '9') {
                if (digits == 1 && value == 0) {
                    return reason(text, "IPv4 field has octet with leading zero");
                }
                value = value * 10 + (c - '0');
                digits++;
                if (value > 255) {
                    return reason(text, "IPv4 field has value >255");
                }
            } else if (c == '.') {
                if (i == 0 || i == dotted.length() - 1 || dotted.charAt(i - 1) == '.') {
                    return reason(
                            text, "IPv4 field must have at least one digit", dotted.substring(i));
                }
                if (position == 3) {
                    return reason(text, "IPv4 address too long");
                }
                target[offset + position] = (byte) value;
                position++;
                value = 0;
                digits = 0;
            } else {
                return reason(text, "unexpected character", dotted.substring(i));
            }
        }
        if (position < 3) {
            return reason(text, "IPv4 address too short");
        }
        target[offset + 3] = (byte) value;
        return "";
    }

    private static Result v6(String text) {
        var percent = text.indexOf('%');
        if (percent >= 0 && percent == text.length() - 1) {
            return malformed(text, "zone must be a non-empty string");
        }
        var address = percent < 0 ? text : text.substring(0, percent);
        var zone = percent < 0 ? "" : text.substring(percent + 1);
        return new IpSyntax(text, address, zone).groups();
    }

    private Result groups() {
        if (rest.startsWith("::")) {
            gap = 0;
            rest = rest.substring(2);
            if (rest.isEmpty()) {
                return new Parsed(Ip.of(bytes), zone);
            }
        }
        while (filled < V6_BYTES) {
            var problem = group();
            if (!problem.isEmpty()) {
                return new Malformed(problem);
            }
            if (rest.isEmpty()) {
                break;
            }
        }
        return finished();
    }

    /// Parses one group and its separator; returns the error, or empty.
    private String group() {
        var value = 0;
        var length = 0;
        while (length < rest.length()
                && Character.digit(rest.charAt(length), 16) >= 0
                && rest.charAt(length) < 0x80) {
            value = (value << 4) + Character.digit(rest.charAt(length), 16);
            if (length > 3) {
                return reason(text, "each group must have 4 or less digits", rest);
            }
            length++;
        }
        if (length == 0) {
            return reason(text, "each colon-separated field must have at least one digit", rest);
        }
        if (length < rest.length() && rest.charAt(length) == '.') {
            return embeddedV4();
        }
        bytes[filled++] = (byte) (value >> Byte.SIZE);
        bytes[filled++] = (byte) value;
        rest = rest.substring(length);
        return rest.isEmpty() ? "" : separator();
    }

    private String embeddedV4() {
        if (gap < 0 && filled != V6_BYTES - 4) {
            return reason(
                    text,
                    "embedded IPv4 address must replace the final 2 fields of the address",
                    rest);
        }
        if (filled + 4 > V6_BYTES) {
            return reason(
                    text,
                    "too many hex fields to fit an embedded IPv4 at the end of the address",
                    rest);
        }
        var problem = octets(text, rest, bytes, filled);
        rest = "";
        filled += 4;
        return problem;
    }

    private String separator() {
        if (rest.charAt(0) != ':') {
            return reason(text, "unexpected character, want colon", rest);
        }
        if (rest.length() == 1) {
            return reason(text, "colon must be followed by more characters", rest);
        }
        rest = rest.substring(1);
        if (rest.charAt(0) == ':') {
            if (gap >= 0) {
                return reason(text, "multiple :: in address", rest);
            }
            gap = filled;
            rest = rest.substring(1);
        }
        return "";
    }

    private Result finished() {
        if (!rest.isEmpty()) {
            return new Malformed(reason(text, "trailing garbage after address", rest));
        }
        if (filled == V6_BYTES) {
            return gap >= 0
                    ? malformed(text, "the :: must expand to at least one field of zeros")
                    : new Parsed(Ip.of(bytes), zone);
        }
        if (gap < 0) {
            return malformed(text, "address string too short");
        }
        var missing = V6_BYTES - filled;
        System.arraycopy(bytes, gap, bytes, gap + missing, filled - gap);
        Arrays.fill(bytes, gap, gap + missing, (byte) 0);
        return new Parsed(Ip.of(bytes), zone);
    }

    private static Malformed malformed(String text, String problem) {
        return new Malformed(reason(text, problem));
    }

    private static String reason(String text, String problem) {
        return "ParseAddr(%s): %s".formatted(GoText.quote(text), problem);
    }

    private static String reason(String text, String problem, String at) {
        return "%s (at %s)".formatted(reason(text, problem), GoText.quote(at));
    }
}
