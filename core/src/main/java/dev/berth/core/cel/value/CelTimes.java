package dev.berth.core.cel.value;

import dev.berth.core.cel.library.CelError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/// Timestamps and durations: ranges, parsing, formatting and fields.
public final class CelTimes {

    static final CelError TIMESTAMP_OVERFLOW = new CelError("timestamp overflow");
    private static final CelError DURATION_OVERFLOW = new CelError("duration overflow");

    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final Duration MOST_NEGATIVE = Duration.ofNanos(Long.MIN_VALUE);

    private static final Pattern RFC_3339 =
            Pattern.compile(
                    "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d([.,]\\d+)?(Z|[+-]\\d\\d:\\d\\d)");

    /// Digits beyond nanoseconds are accepted and dropped.
    private static final Pattern FINER_THAN_NANOS = Pattern.compile("(\\.\\d{9})\\d+");

    private static final Pattern DURATION_PART =
            Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern OFFSET = Pattern.compile("([+-]?)(\\d\\d):(\\d\\d)");

    private CelTimes() {}

    static Object checked(Duration duration) {
        return duration.compareTo(LONGEST) > 0 || duration.compareTo(MOST_NEGATIVE) < 0
                ? DURATION_OVERFLOW
                : duration;
    }

    static Object checked(Instant instant) {
        return instant.isBefore(EARLIEST) || instant.isAfter(LATEST) ? TIMESTAMP_OVERFLOW : instant;
    }

    static Object ofSeconds(long seconds) {
        return seconds < EARLIEST.getEpochSecond() || seconds > LATEST.getEpochSecond()
                ? TIMESTAMP_OVERFLOW
                : Instant.ofEpochSecond(seconds);
    }

    /// Parses RFC 3339; empty when the text is malformed.
    public static Optional<Object> parseTimestamp(String text) {
        if (!RFC_3339.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            var parsed =
                    OffsetDateTime.parse(
                            FINER_THAN_NANOS.matcher(text.replace(',', '.')).replaceFirst("$1"),
                            DateTimeFormatter.ISO_OFFSET_DATE_TIME);
            return Optional.of(checked(parsed.toInstant()));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /// Parses `1h30m`, `-1.5s` or `0`; empty when the text is malformed or out of range.
    public static Optional<Duration> parseDuration(String text) {
        var negative = text.startsWith("-");
        var rest = negative || text.startsWith("+") ? text.substring(1) : text;
        if (rest.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        var nanos = BigInteger.ZERO;
        var matcher = DURATION_PART.matcher(rest);
        var position = 0;
        while (position < rest.length() && matcher.find() && matcher.start() == position) {
            var unit = BigDecimal.valueOf(nanosIn(matcher.group(2)));
            nanos = nanos.add(new BigDecimal(matcher.group(1)).multiply(unit).toBigInteger());
            position = matcher.end();
        }
        var signed = negative ? nanos.negate() : nanos;
        return rest.isEmpty() || position < rest.length() || signed.bitLength() >= Long.SIZE
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(signed.longValue()));
    }

    private static long nanosIn(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs", "μs" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> throw new IllegalArgumentException(unit);
        };
    }

    static String print(Instant instant) {
        var time = instant.atOffset(ZoneOffset.UTC);
        var seconds = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss").format(time);
        if (time.getNano() == 0) {
            return seconds + "Z";
        }
        var fraction = "%09d".formatted(time.getNano()).replaceAll("0+$", "");
        return seconds + "." + fraction + "Z";
    }

    static String print(Duration duration) {
        var seconds = BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros();
        return seconds.toPlainString() + "s";
    }

    /// The time in a time zone: an IANA name, or an offset such as `-08:00`.
    public static Object at(Instant instant, String zone) {
        var offset = OFFSET.matcher(zone);
        try {
            if (!offset.matches()) {
                return instant.atZone(zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone));
            }
            var seconds =
                    Integer.parseInt(offset.group(2)) * 3600
                            + Integer.parseInt(offset.group(3)) * 60;
            var sign = offset.group(1).equals("-") ? -1 : 1;
            return instant.atZone(ZoneOffset.ofTotalSeconds(sign * seconds));
        } catch (DateTimeException e) {
            return new CelError("unknown time zone " + zone);
        }
    }

    /// A field of a timestamp; months and days count from zero, except for `getDate`.
    public static Optional<Object> part(String accessor, ZonedDateTime time) {
        return switch (accessor) {
            case "getFullYear" -> Optional.of((long) time.getYear());
            case "getMonth" -> Optional.of((long) time.getMonthValue() - 1);
            case "getDayOfMonth" -> Optional.of((long) time.getDayOfMonth() - 1);
            case "getDate" -> Optional.of((long) time.getDayOfMonth());
            case "getDayOfYear" -> Optional.of((long) time.getDayOfYear() - 1);
            case "getDayOfWeek" -> Optional.of((long) time.getDayOfWeek().getValue() % 7);
            case "getHours" -> Optional.of((long) time.getHour());
            case "getMinutes" -> Optional.of((long) time.getMinute());
            case "getSeconds" -> Optional.of((long) time.getSecond());
            case "getMilliseconds" -> Optional.of((long) time.getNano() / 1_000_000);
            default -> Optional.empty();
        };
    }

    /// The whole duration in one unit.
    public static Optional<Object> total(String accessor, Duration duration) {
        return switch (accessor) {
            case "getHours" -> Optional.of(duration.toNanos() / nanosIn("h"));
            case "getMinutes" -> Optional.of(duration.toNanos() / nanosIn("m"));
            case "getSeconds" -> Optional.of(duration.toNanos() / nanosIn("s"));
            case "getMilliseconds" -> Optional.of(duration.toNanos() / nanosIn("ms"));
            default -> Optional.empty();
        };
    }
}
