package dev.berth.model.time;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Parses and formats RFC 3339 times in seconds, as in nearly all API fields:
/// `2026-11-16T15:44:38Z`.
///
/// Every object has several such times, so this form has a fast path instead of a general parser.
public final class Rfc3339 {

    private static final int LENGTH = "2026-11-16T15:44:38Z".length();
    private static final String FORM = "0000-00-00T00:00:00Z";
    private static final int SECONDS_PER_DAY = 24 * 60 * 60;
    private static final int LONGEST_MONTH = 31;
    private static final int SURE_MONTH = 28;

    /// Cache of the last formatted second: most formatted times are the current one.
    private static volatile Written newest = new Written(0, Instant.EPOCH.toString());

    private record Written(long second, String text) {}

    private Rfc3339() {}

    /// Parses a time, also with an offset and fractions of a second.
    public static Optional<Instant> read(String text) {
        if (isPlain(text)) {
            return Optional.of(plain(text));
        }
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /// Formats a time, truncated to seconds.
    public static String write(Instant time) {
        var second = time.getEpochSecond();
        var last = newest;
        if (last.second != second) {
            last = new Written(second, time.truncatedTo(ChronoUnit.SECONDS).toString());
            newest = last;
        }
        return last.text;
    }

    /// True when the text is the canonical form of [#write].
    public static boolean isPlain(String text) {
        if (text.length() != LENGTH) {
            return false;
        }
        for (var at = 0; at < LENGTH; at++) {
            var c = text.charAt(at);
            var wanted = FORM.charAt(at);
            if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
                return false;
            }
        }
        return number(text, 11, 13) < 24
                && number(text, 14, 16) < 60
                && number(text, 17, 19) < 60
                && isDate(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
    }

    private static boolean isDate(int year, int month, int day) {
        if (month < 1 || month > 12 || day < 1 || day > LONGEST_MONTH) {
            return false;
        }
        return day <= SURE_MONTH || day <= LocalDate.of(year, month, 1).lengthOfMonth();
    }

    private static Instant plain(String text) {
        var date =
                LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                        .toEpochDay();
        var second =
                number(text, 11, 13) * 3_600 + number(text, 14, 16) * 60 + number(text, 17, 19);
        return Instant.ofEpochSecond(date * SECONDS_PER_DAY + second);
    }

    private static int number(String text, int from, int to) {
        var number = 0;
        for (var at = from; at < to; at++) {
            number = number * 10 + text.charAt(at) - '0';
        }
        return number;
    }
}
