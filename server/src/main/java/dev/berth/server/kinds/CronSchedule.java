package dev.berth.server.kinds;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Syntax of cron schedules: `*/5 9-17 * * mon-fri`, `@daily`, `@every 1h30m`.
final class CronSchedule {

    private static final List<String> MACROS =
            List.of(
                    "@yearly",
                    "@annually",
                    "@monthly",
                    "@weekly",
                    "@daily",
                    "@midnight",
                    "@hourly");
    private static final Pattern DURATION =
            Pattern.compile("([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+");
    private static final Map<String, Integer> MONTHS =
            Map.ofEntries(
                    Map.entry("jan", 1),
                    Map.entry("feb", 2),
                    Map.entry("mar", 3),
                    Map.entry("apr", 4),
                    Map.entry("may", 5),
                    Map.entry("jun", 6),
                    Map.entry("jul", 7),
                    Map.entry("aug", 8),
                    Map.entry("sep", 9),
                    Map.entry("oct", 10),
                    Map.entry("nov", 11),
                    Map.entry("dec", 12));
    private static final Map<String, Integer> DAYS =
            Map.of("sun", 0, "mon", 1, "tue", 2, "wed", 3, "thu", 4, "fri", 5, "sat", 6);

    /// Range and names of one of the five fields.
    private record Part(int low, int high, Map<String, Integer> names) {}

    /// Minute, hour, day of the month, month, day of the week.
    private static final List<Part> PARTS =
            List.of(
                    new Part(0, 59, Map.of()),
                    new Part(0, 23, Map.of()),
                    new Part(1, 31, Map.of()),
                    new Part(1, 12, MONTHS),
                    new Part(0, 6, DAYS));

    private CronSchedule() {}

    /// The error message for a malformed schedule.
    static Optional<String> problem(String schedule) {
        if (schedule.startsWith("@every ")) {
            var span = schedule.substring("@every ".length());
            return DURATION.matcher(span).matches()
                    ? Optional.empty()
                    : Optional.of("failed to parse duration " + schedule);
        }
        if (schedule.startsWith("@")) {
            return MACROS.contains(schedule)
                    ? Optional.empty()
                    : Optional.of("unrecognized descriptor: " + schedule);
        }
        var text =
                schedule.contains("TZ=") ? schedule.replaceFirst("^\\S*TZ=\\S*\\s*", "") : schedule;
        var fields = text.strip().split("\\s+", -1);
        if (fields.length != PARTS.size()) {
            return Optional.of(
                    "expected exactly 5 fields, found %d: %s"
                            .formatted(fields.length, List.of(fields)));
        }
        for (var i = 0; i < fields.length; i++) {
            for (var range : fields[i].split(",", -1)) {
                var problem = range(range, PARTS.get(i));
                if (problem.isPresent()) {
                    return problem;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> range(String range, Part part) {
        var stepped = range.split("/", -1);
        if (stepped.length > 2) {
            return Optional.of("too many slashes: " + range);
        }
        if (stepped.length == 2 && number(stepped[1], Map.of()).filter(n -> n > 0).isEmpty()) {
            return Optional.of("step of range should be a positive number: " + range);
        }
        if (stepped[0].equals("*") || stepped[0].equals("?")) {
            return Optional.empty();
        }
        var ends = stepped[0].split("-", -1);
        if (ends.length > 2) {
            return Optional.of("too many hyphens: " + range);
        }
        var start = number(ends[0], part.names);
        var end = number(ends[ends.length - 1], part.names);
        if (start.isEmpty() || end.isEmpty()) {
            return Optional.of("failed to parse number: " + range);
        }
        if (start.get() < part.low) {
            return Optional.of(
                    "beginning of range (%d) below minimum (%d): %s"
                            .formatted(start.get(), part.low, range));
        }
        if (end.get() > part.high) {
            return Optional.of(
                    "end of range (%d) above maximum (%d): %s"
                            .formatted(end.get(), part.high, range));
        }
        return start.get() > end.get()
                ? Optional.of(
                        "beginning of range (%d) beyond end of range (%d): %s"
                                .formatted(start.get(), end.get(), range))
                : Optional.empty();
    }

    private static Optional<Integer> number(String text, Map<String, Integer> names) {
        var named = names.get(text.toLowerCase(Locale.ROOT));
        if (named != null) {
            return Optional.of(named);
        }
        return text.matches("[0-9]{1,6}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
