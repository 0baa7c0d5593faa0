package dev.berth.drivers.sim;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a container would do, as far as its command tells.
///
/// @param length how long it runs; empty for ever
/// @param exitCode with which it ends
record SimulatedCommand(Optional<Duration> length, int exitCode) {

    private static final Pattern SLEEP =
            Pattern.compile("\\bsleep\\s+(?:(\\d{1,9})(?:\\.\\d+)?([smhd]?)|(inf(?:inity)?))");
    private static final Pattern EXIT = Pattern.compile("\\bexit\\s+(\\d{1,3})\\s*$");

    private static final SimulatedCommand ENDLESS = new SimulatedCommand(Optional.empty(), 0);

    /// Containers that always restart run for ever. Of others, those that sleep take as long as
    /// they sleep, those with another command are done at once, and those without any are left to
    /// run as their images please, unless a Job waits for them to end.
    static SimulatedCommand of(JsonObject container, String restartPolicy, boolean isOfJob) {
        if (restartPolicy.isEmpty() || restartPolicy.equals("Always")) {
            return ENDLESS;
        }
        var command = String.join(" ", container.strings("command"));
        var line = (command + " " + String.join(" ", container.strings("args"))).strip();
        if (line.isEmpty() && !isOfJob) {
            return ENDLESS;
        }
        var exit = EXIT.matcher(line);
        var code = exit.find() ? Integer.parseInt(exit.group(1)) : 0;
        var sleep = SLEEP.matcher(line);
        var length = Duration.ZERO;
        while (sleep.find()) {
            if (sleep.group(3) != null) {
                return ENDLESS;
            }
            length = length.plus(duration(Long.parseLong(sleep.group(1)), sleep.group(2)));
        }
        return new SimulatedCommand(Optional.of(length), code);
    }

    private static Duration duration(long amount, String unit) {
        return switch (unit) {
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> Duration.ofSeconds(amount);
        };
    }
}
