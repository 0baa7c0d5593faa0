package dev.berth.node.agent;

import dev.berth.node.pod.ContainerDefinition;
import dev.berth.node.pod.PodDefinition;
import dev.berth.node.runtime.ContainerSpec.Mount;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.safepath.SafeDirectory;
import dev.berth.node.volume.VolumeMounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Termination messages: the files that containers write them to, and what is in those.
///
/// @param volumes that know the directories of pods
record TerminationMessages(VolumeMounter volumes) {

    private static final int MOST_BYTES = 4096;
    private static final int MOST_LOG_BYTES = 2048;
    private static final int MOST_LOG_LINES = 80;

    /// Any user of the container may write it. Other users of the machine do not reach it, because
    /// its directory is closed.
    private static final int MODE = 0622;

    /// Time, stream and tag come before the text of a line of a log.
    private static final int TEXT = 3;

    /// Makes the file of a container.
    Mount file(PodDefinition pod, ContainerDefinition container, int attempt) throws IOException {
        var of = volumes.directory(pod.uid());
        var path = of.make(of.messages(container.name()));
        var name = name(attempt);
        try (var directory = SafeDirectory.open(path)) {
            if (directory.status(name).isEmpty()) {
                directory.makeFile(name, new byte[0], MODE);
            }
            try (var file = directory.entry(name)) {
                file.setMode(MODE);
            }
        }
        var place =
                container.tree().string("terminationMessagePath").orElse("/dev/termination-log");
        return new Mount(path.resolve(name), place, false);
    }

    private static String name(int attempt) {
        return attempt + ".message";
    }

    /// The message of a container that has ended; empty for none.
    String read(PodDefinition pod, ContainerDefinition task, ContainerState container) {
        try {
            var message = message(pod, task, container);
            var isFallback =
                    task.tree().text("terminationMessagePolicy").equals("FallbackToLogsOnError");
            var hasFailed =
                    container.phase() instanceof Phase.Exited exited && exited.exitCode() != 0;
            return message.isEmpty() && isFallback && hasFailed ? log(container.log()) : message;
        } catch (IOException _) {
            return "";
        }
    }

    private String message(PodDefinition pod, ContainerDefinition task, ContainerState container)
            throws IOException {
        var path = volumes.directory(pod.uid()).messages(task.name());
        try (var directory = SafeDirectory.open(path)) {
            var name = name(container.attempt());
            return directory.status(name).isPresent()
                    ? new String(directory.readEnd(name, MOST_BYTES), StandardCharsets.UTF_8)
                    : "";
        }
    }

    private static String log(Path file) throws IOException {
        var lines = new ArrayList<String>();
        for (var line : end(file).lines().toList()) {
            var parts = line.split(" ", TEXT + 1);
            lines.add(parts.length > TEXT ? parts[TEXT] : line);
        }
        var last = tail(lines);
        var text = String.join("\n", last) + (last.isEmpty() ? "" : "\n");
        return text.length() > MOST_LOG_BYTES
                ? text.substring(text.length() - MOST_LOG_BYTES)
                : text;
    }

    private static String end(Path file) throws IOException {
        try (var directory = SafeDirectory.open(file.toAbsolutePath().resolveSibling(""))) {
            var name = String.valueOf(file.getFileName());
            return new String(directory.readEnd(name, 2 * MOST_LOG_BYTES), StandardCharsets.UTF_8);
        }
    }

    private static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MOST_LOG_LINES), lines.size());
    }
}
