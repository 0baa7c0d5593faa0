package dev.berth.drivers.sim;

import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Simulated run time and exit code of a container, derived from its command.
///
/// @param length run time; empty if the container never ends
/// @param exitCode exit code of the container
record SimulatedCommand(Optional<Duration> length, int exitCode) {

    private static final Pattern SLEEP =
            Pattern.compile("\\bsleep\\s+(?:(\\d{1,9})(?:\\.\\d+)?([smhd]?)|(inf(?:inity)?))");
    private static final Pattern EXIT = Pattern.compile("\\bexit\\s+(\\d{1,3})\\s*$");

    private static final SimulatedCommand ENDLESS = new SimulatedCommand(Optional.empty(), 0);

    /// Containers with restartPolicy Always run forever. Otherwise a command with `sleep` runs for
    /// that time and other commands end at once. A container without a command runs forever, as its
    /// image might, unless the pod belongs to a Job, which waits for its end.
    static SimulatedCommand of(JsonObject container, String restartPolicy, boolean belongsToJob) {
        if (restartPolicy.isEmpty() || restartPolicy.equals("Always")) {
            return ENDLESS;
        }
        var command = String.join(" ", container.strings("command"));
        var line = (command + " " + String.join(" ", container.strings("args"))).strip();
        if (line.isEmpty() && !belongsToJob) {
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
