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

/// Termination messages of containers: creates the files that containers write to, and reads them.
///
/// @param volumes for the directories of pods
record TerminationMessages(VolumeMounter volumes) {

    private static final int MAX_BYTES = 4096;
    private static final int MAX_LOG_BYTES = 2048;
    private static final int MAX_LOG_LINES = 80;

    /// Any user of the container may write it. Other users of the machine cannot reach it because
    /// its directory is private.
    private static final int MODE = 0622;

    /// Number of fields (time, stream, tag) before the text of a log line.
    private static final int FIELDS_BEFORE_TEXT = 3;

    /// Creates the termination message file of a container.
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
        var containerPath =
                container.tree().string("terminationMessagePath").orElse("/dev/termination-log");
        return new Mount(path.resolve(name), containerPath, false);
    }

    private static String name(int attempt) {
        return attempt + ".message";
    }

    /// The message of a terminated container; empty for none.
    String read(PodDefinition pod, ContainerDefinition definition, ContainerState container) {
        try {
            var message = message(pod, definition, container);
            var isFallback =
                    definition
                            .tree()
                            .text("terminationMessagePolicy")
                            .equals("FallbackToLogsOnError");
            var hasFailed =
                    container.phase() instanceof Phase.Exited exited && exited.exitCode() != 0;
            return message.isEmpty() && isFallback && hasFailed ? log(container.log()) : message;
        } catch (IOException _) {
            return "";
        }
    }

    private String message(
            PodDefinition pod, ContainerDefinition definition, ContainerState container)
            throws IOException {
        var path = volumes.directory(pod.uid()).messages(definition.name());
        try (var directory = SafeDirectory.open(path)) {
            var name = name(container.attempt());
            return directory.status(name).isPresent()
                    ? new String(directory.readEnd(name, MAX_BYTES), StandardCharsets.UTF_8)
                    : "";
        }
    }

    private static String log(Path file) throws IOException {
        var lines = new ArrayList<String>();
        for (var line : end(file).lines().toList()) {
            var parts = line.split(" ", FIELDS_BEFORE_TEXT + 1);
            lines.add(parts.length > FIELDS_BEFORE_TEXT ? parts[FIELDS_BEFORE_TEXT] : line);
        }
        var last = tail(lines);
        var text = String.join("\n", last) + (last.isEmpty() ? "" : "\n");
        return text.length() > MAX_LOG_BYTES ? text.substring(text.length() - MAX_LOG_BYTES) : text;
    }

    private static String end(Path file) throws IOException {
        try (var directory = SafeDirectory.open(file.toAbsolutePath().resolveSibling(""))) {
            var name = String.valueOf(file.getFileName());
            return new String(directory.readEnd(name, 2 * MAX_LOG_BYTES), StandardCharsets.UTF_8);
        }
    }

    private static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MAX_LOG_LINES), lines.size());
    }
}
