package dev.berth.server.kinds.column;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// Durations in the format of kubectl: `5m`, `3h20m`, `2y14d`.
public final class HumanDuration {

    static final String UNKNOWN = "<unknown>";

    private HumanDuration() {}

    /// Time since a timestamp.
    ///
    /// @param timestamp as in objects; empty if unknown
    public static String since(String timestamp, Instant now) {
        if (timestamp.isEmpty()) {
            return UNKNOWN;
        }
        try {
            return text(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return UNKNOWN;
        }
    }

    /// Two to three digits of precision: seconds matter for minutes, not for days.
    static String text(Duration duration) {
        var seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        var minutes = seconds / 60;
        var hours = minutes / 60;
        if (seconds < 120) {
            return Math.max(0, seconds) + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        return days(hours);
    }

    private static String days(long hours) {
        var days = hours / 24;
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        return days < 8 * 365 ? two(days / 365, "y", days % 365, "d") : days / 365 + "y";
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }
}
