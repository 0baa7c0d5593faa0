package dev.berth.drivers.sim;

import dev.berth.core.cel.value.CelTimes;
import dev.berth.model.json.JsonObject;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Pod annotations that configure the behaviour of a pod on a simulated node.
///
/// @param runFor run time of its containers, unless the restartPolicy is Always
/// @param exitCode exit code of its containers
/// @param startDelay start delay in addition to that of the node
/// @param problems messages about annotations without effect
record PodAnnotations(
        Optional<Duration> runFor,
        Optional<Integer> exitCode,
        Duration startDelay,
        List<String> problems) {

    static final String RUN_FOR = "sim.berth.dev/run-for";
    static final String EXIT_CODE = "sim.berth.dev/exit-code";
    static final String START_DELAY = "sim.berth.dev/start-delay";
    static final String LOG_LINES = "sim.berth.dev/log-lines";

    private static final int MAX_EXIT_CODE = 255;
    private static final PodAnnotations NONE =
            new PodAnnotations(Optional.empty(), Optional.empty(), Duration.ZERO, List.of());

    PodAnnotations {
        problems = List.copyOf(problems);
    }

    static PodAnnotations of(JsonObject pod) {
        var annotations = pod.objectOrEmpty("metadata").objectOrEmpty("annotations");
        if (!annotations.has(RUN_FOR)
                && !annotations.has(EXIT_CODE)
                && !annotations.has(START_DELAY)) {
            return NONE;
        }
        var problems = new ArrayList<String>();
        var read =
                new PodAnnotations(
                        duration(annotations, RUN_FOR, problems),
                        exitCode(annotations, problems),
                        duration(annotations, START_DELAY, problems).orElse(Duration.ZERO),
                        List.of());
        if ((read.runFor.isPresent() || read.exitCode.isPresent()) && alwaysRestarts(pod)) {
            problems.add(
                    "%s and %s have no effect on pods with restartPolicy Always"
                            .formatted(RUN_FOR, EXIT_CODE));
        }
        return new PodAnnotations(read.runFor, read.exitCode, read.startDelay, problems);
    }

    static boolean alwaysRestarts(JsonObject pod) {
        var policy = pod.objectOrEmpty("spec").text("restartPolicy");
        return policy.isEmpty() || policy.equals("Always");
    }

    private static Optional<Duration> duration(
            JsonObject annotations, String name, List<String> problems) {
        if (!annotations.has(name)) {
            return Optional.empty();
        }
        var text = annotations.text(name).strip();
        var parsed = parse(text).filter(duration -> !duration.isNegative());
        if (parsed.isEmpty()) {
            problems.add(
                    "%s: \"%s\" is not a duration such as 90s, 1h30m or PT1H30M"
                            .formatted(name, text));
        }
        return parsed;
    }

    /// Parses a duration in the format of Go (`1h30m`) or ISO 8601 (`PT1H30M`).
    private static Optional<Duration> parse(String text) {
        if (!text.startsWith("P")) {
            return CelTimes.parseDuration(text);
        }
        try {
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> exitCode(JsonObject annotations, List<String> problems) {
        if (!annotations.has(EXIT_CODE)) {
            return Optional.empty();
        }
        var text = annotations.text(EXIT_CODE).strip();
        if (text.matches("[0-9]{1,3}") && Integer.parseInt(text) <= MAX_EXIT_CODE) {
            return Optional.of(Integer.valueOf(text));
        }
        problems.add(
                "%s: \"%s\" is not a number from 0 to %d"
                        .formatted(EXIT_CODE, text, MAX_EXIT_CODE));
        return Optional.empty();
    }

    /// A command with the run time and exit code of the annotations.
    SimulatedCommand applyTo(SimulatedCommand command, boolean alwaysRestarts) {
        if (alwaysRestarts || (runFor.isEmpty() && exitCode.isEmpty())) {
            return command;
        }
        return new SimulatedCommand(
                runFor.isPresent() ? runFor : command.length(),
                exitCode.orElse(command.exitCode()));
    }
}
