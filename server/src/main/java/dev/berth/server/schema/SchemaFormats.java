package dev.berth.server.schema;

import com.google.re2j.Pattern;
import dev.berth.schema.check.EncodedText;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;

/// String formats of schemas. Unknown formats match everything.
final class SchemaFormats {

    private static final Pattern HOST =
            Pattern.compile(
                    "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
                            + "(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*");
    private static final Pattern IPV4 =
            Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final Map<String, Pattern> PATTERNS =
            Map.of(
                    "uuid",
                    Pattern.compile(
                            "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"),
                    "uuid4",
                    Pattern.compile(
                            "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}"
                                    + "-?[0-9a-f]{12}"),
                    "mac",
                    Pattern.compile("(?i)([0-9a-f]{2}[:-]){5}[0-9a-f]{2}"),
                    "email",
                    Pattern.compile("[^\\s@]+@[^\\s@]+"),
                    "hexcolor",
                    Pattern.compile("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
                    "ipv4",
                    IPV4,
                    "hostname",
                    HOST);

    private static final int MAX_NAME = 253;

    private SchemaFormats() {}

    static boolean matches(String format, String text) {
        var pattern = PATTERNS.get(format);
        if (pattern != null) {
            return pattern.matcher(text).matches();
        }
        return switch (format) {
            case "date" -> isDate(text);
            case "date-time", "datetime" -> isTime(text);
            case "duration" -> isDuration(text);
            case "byte" -> isBytes(text);
            case "uri" -> isUri(text);
            case "ipv6" -> isIpv6(text);
            case "cidr" -> isCidr(text);
            case "k8s-short-name" -> LABEL.matcher(text).matches();
            case "k8s-long-name" -> text.length() <= MAX_NAME && SUBDOMAIN.matcher(text).matches();
            default -> true;
        };
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == "2026-01-31".length() && LocalDate.parse(text) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isTime(String text) {
        try {
            return !EncodedText.microTime(text).isEmpty();
        } catch (EncodedText.FormatException e) {
            return false;
        }
    }

    private static boolean isDuration(String text) {
        try {
            return !EncodedText.duration(text).isEmpty();
        } catch (EncodedText.FormatException e) {
            return false;
        }
    }

    private static boolean isBytes(String text) {
        try {
            return !text.isEmpty() && !EncodedText.bytes(text).isEmpty();
        } catch (EncodedText.FormatException e) {
            return false;
        }
    }

    private static boolean isUri(String text) {
        try {
            var uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /// Eight groups, or fewer with one gap; the last part may be an IPv4 address.
    private static boolean isIpv6(String text) {
        if (!IPV6.matcher(text).matches() || text.length() > 45 || text.contains(":::")) {
            return false;
        }
        var gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return false;
        }
        var groups = 0;
        for (var part : text.split(":", -1)) {
            if (part.contains(".")) {
                if (!text.endsWith(part) || !IPV4.matcher(part).matches()) {
                    return false;
                }
                groups += 2;
            } else if (part.length() > 4) {
                return false;
            } else if (!part.isEmpty()) {
                groups++;
            }
        }
        var singleColon =
                (text.startsWith(":") && !text.startsWith("::"))
                        || (text.endsWith(":") && !text.endsWith("::"));
        return !singleColon && (gap >= 0 ? groups < 8 : groups == 8);
    }

    private static boolean isCidr(String text) {
        var slash = text.indexOf('/');
        if (slash < 0) {
            return false;
        }
        var address = text.substring(0, slash);
        var bits = text.substring(slash + 1);
        if (bits.isEmpty() || bits.length() > 3 || !bits.chars().allMatch(SchemaFormats::isDigit)) {
            return false;
        }
        var length = Integer.parseInt(bits);
        return (IPV4.matcher(address).matches() && length <= 32)
                || (isIpv6(address) && length <= 128);
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
