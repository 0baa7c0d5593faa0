package dev.berth.schema.check;

import dev.berth.model.quantity.Quantity;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/// Parses times, quantities, durations and base64 in strings, with the error messages of Go's
/// parsers.
///
/// Each method returns the canonical form, and the same string if it is canonical already.
public final class EncodedText {

    /// A malformed string, with the message of Kubernetes.
    public static final class FormatException extends Exception {
        private static final long serialVersionUID = 1;

        FormatException(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    private static final Pattern RFC3339 =
            Pattern.compile(
                    "(\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2})(?:[.,](\\d+))?"
                            + "(Z|[+-]\\d{2}:\\d{2})");

    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final Pattern DURATION =
            Pattern.compile("[+-]?(0|((\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h))+)");

    private static final int MAX_TIME = 64;

    private EncodedText() {}

    static String time(String text) throws FormatException {
        var layout = "2006-01-02T15:04:05Z07:00";
        return isCanonicalTime(text) ? text : SECONDS.format(moment(text, layout));
    }

    public static String microTime(String text) throws FormatException {
        return MICROS.format(moment(text, "2006-01-02T15:04:05.000000Z07:00"));
    }

    private static OffsetDateTime moment(String text, String layout) throws FormatException {
        if (text.length() <= MAX_TIME) {
            var match = RFC3339.matcher(text);
            if (match.matches()) {
                try {
                    var fraction = match.group(2) == null ? "0" : match.group(2);
                    var nanos = (fraction + "000000000").substring(0, 9);
                    return OffsetDateTime.parse(match.group(1) + "." + nanos + match.group(3));
                } catch (DateTimeException e) {
                    // Reported below, like any other malformed text.
                }
            }
        }
        var quoted = quoted(text);
        throw new FormatException(
                "parsing time %s as \"%s\": cannot parse %s as \"2006\""
                        .formatted(quoted, layout, quoted));
    }

    /// Fast path for canonical times: true if the day exists in every month.
    private static boolean isCanonicalTime(String text) {
        var form = "0000-00-00T00:00:00Z";
        if (text.length() != form.length()) {
            return false;
        }
        for (var i = 0; i < form.length(); i++) {
            var c = text.charAt(i);
            var digit = c >= '0' && c <= '9';
            if (form.charAt(i) == '0' ? !digit : c != form.charAt(i)) {
                return false;
            }
        }
        return inRange(text, 5, 1, 12)
                && inRange(text, 8, 1, 28)
                && inRange(text, 11, 0, 23)
                && inRange(text, 14, 0, 59)
                && inRange(text, 17, 0, 59);
    }

    private static boolean inRange(String text, int at, int min, int max) {
        var value = (text.charAt(at) - '0') * 10 + text.charAt(at + 1) - '0';
        return value >= min && value <= max;
    }

    static String quantity(String text) throws FormatException {
        if (isCanonicalQuantity(text)) {
            return text;
        }
        var bare = text.strip();
        try {
            return Quantity.parse(bare).toString();
        } catch (IllegalArgumentException e) {
            throw new FormatException(String.valueOf(e.getMessage()));
        }
    }

    /// Fast path for canonical quantities: up to three digits and a suffix that they cannot exceed.
    private static boolean isCanonicalQuantity(String text) {
        var digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
            digits++;
        }
        if (digits == 0 || digits > 3 || text.charAt(0) == '0') {
            return text.equals("0");
        }
        return switch (text.length() - digits) {
            case 0 -> true;
            case 1 -> "mkMGT".indexOf(text.charAt(digits)) >= 0;
            case 2 -> "KMGT".indexOf(text.charAt(digits)) >= 0 && text.charAt(digits + 1) == 'i';
            default -> false;
        };
    }

    public static String duration(String text) throws FormatException {
        if (text.length() > MAX_TIME || !DURATION.matcher(text).matches()) {
            throw new FormatException("time: invalid duration " + quoted(text));
        }
        return text;
    }

    /// Base64 with padding; line breaks are removed.
    public static String bytes(String text) throws FormatException {
        var bare = text.indexOf('\n') < 0 && text.indexOf('\r') < 0 ? text : withoutLines(text);
        var length = bare.length();
        var end = length;
        while (end > 0 && bare.charAt(end - 1) == '=' && length - end < 2) {
            end--;
        }
        for (var i = 0; i < end; i++) {
            if (!isBase64(bare.charAt(i))) {
                throw new FormatException("illegal base64 data at input byte " + i);
            }
        }
        if (length % 4 != 0) {
            throw new FormatException("illegal base64 data at input byte " + (length / 4 * 4));
        }
        return bare;
    }

    private static String withoutLines(String text) {
        return text.replace("\n", "").replace("\r", "");
    }

    private static boolean isBase64(char c) {
        return (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/';
    }

    /// The text in quotes, truncated.
    private static String quoted(String text) {
        var max = 100;
        var some = text.length() > max ? text.substring(0, max) + "…" : text;
        return '"' + some.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
