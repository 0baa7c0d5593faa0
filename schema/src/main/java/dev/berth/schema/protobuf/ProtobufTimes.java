package dev.berth.schema.protobuf;

import dev.berth.model.time.Rfc3339;
import dev.berth.schema.SchemaType.Scalar;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/// Times and durations as JSON text.
final class ProtobufTimes {

    /// Years that RFC 3339 can write.
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final Pattern DURATION_PART =
            Pattern.compile("([0-9]*\\.?[0-9]+)(ns|µs|us|ms|s|m|h)");

    private ProtobufTimes() {}

    /// The text of a Time (seconds) or a MicroTime (microseconds).
    static String text(Scalar scalar, long seconds, int nanos) {
        if (seconds < FIRST.getEpochSecond()
                || seconds > LAST.getEpochSecond()
                || nanos < 0
                || nanos >= NANOS_PER_SECOND) {
            throw ProtobufException.malformed(
                    "time of %d s and %d ns is out of range".formatted(seconds, nanos));
        }
        var time = Instant.ofEpochSecond(seconds, nanos);
        return scalar == Scalar.TIME ? Rfc3339.write(time) : MICROS.format(time);
    }

    /// A duration as Go writes it: `1h2m3.5s`, `1.5ms`, `0s`.
    static String duration(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        var sign = nanos < 0 ? "-" : "";
        var rest = Duration.ofNanos(nanos).abs();
        if (rest.toSeconds() == 0) {
            var n = rest.toNanos();
            if (n < 1000) {
                return sign + n + "ns";
            }
            return n < 1_000_000
                    ? sign + fraction(n, 1000) + "µs"
                    : sign + fraction(n, 1_000_000) + "ms";
        }
        var hours = rest.toHours();
        var minutes = rest.toMinutesPart();
        var seconds =
                fraction(
                        rest.toSecondsPart() * (long) NANOS_PER_SECOND + rest.toNanosPart(),
                        NANOS_PER_SECOND);
        var text = new StringBuilder(sign);
        if (hours > 0) {
            text.append(hours).append('h');
        }
        if (hours > 0 || minutes > 0) {
            text.append(minutes).append('m');
        }
        return text.append(seconds).append('s').toString();
    }

    private static String fraction(long value, long unit) {
        var whole = value / unit;
        var rest = value % unit;
        if (rest == 0) {
            return Long.toString(whole);
        }
        var digits = Long.toString(unit + rest).substring(1).replaceAll("0+$", "");
        return whole + "." + digits;
    }

    /// Reads a duration as Go writes it.
    static long nanos(String text) {
        var sign = text.startsWith("-") ? -1 : 1;
        var matcher = DURATION_PART.matcher(text);
        var at = sign < 0 ? 1 : 0;
        var sum = BigDecimal.ZERO;
        while (at < text.length() && matcher.find(at) && matcher.start() == at) {
            sum = sum.add(new BigDecimal(matcher.group(1)).multiply(unit(matcher.group(2))));
            at = matcher.end();
        }
        if (at != text.length() && !text.equals("0")) {
            throw ProtobufException.malformed("duration \"%s\" is malformed".formatted(text));
        }
        return sign * sum.longValue();
    }

    private static BigDecimal unit(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "ns" -> 1L;
                    case "us", "µs" -> 1000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> NANOS_PER_SECOND;
                    case "m" -> 60L * NANOS_PER_SECOND;
                    default -> 3600L * NANOS_PER_SECOND;
                });
    }
}
