package dev.berth.node.agent;

import dev.berth.node.pod.ContainerTask;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Reads what containers left as their last message.
final class Farewells {

    private static final int MOST_BYTES = 4096;
    private static final int MOST_LOG_BYTES = 2048;
    private static final int MOST_LOG_LINES = 80;

    /// Time, stream and tag come before the text of a line of a log.
    private static final int TEXT = 3;

    private Farewells() {}

    /// The message; empty for none.
    ///
    /// @param file where the container could write it
    static String read(ContainerTask task, ContainerState container, Path file) {
        try {
            var message = Files.exists(file) ? end(file, MOST_BYTES) : "";
            var isFallback =
                    task.tree().text("terminationMessagePolicy").equals("FallbackToLogsOnError");
            var hasFailed =
                    container.phase() instanceof Phase.Exited exited && exited.exitCode() != 0;
            return message.isEmpty() && isFallback && hasFailed && Files.exists(container.log())
                    ? log(container.log())
                    : message;
        } catch (IOException _) {
            return "";
        }
    }

    private static String end(Path file, int most) throws IOException {
        try (var bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(Math.max(0, bytes.length() - most));
            var read = new byte[(int) Math.min(bytes.length(), most)];
            bytes.readFully(read);
            return new String(read, StandardCharsets.UTF_8);
        }
    }

    private static String log(Path file) throws IOException {
        var lines = new ArrayList<String>();
        for (var line : end(file, 2 * MOST_LOG_BYTES).lines().toList()) {
            var parts = line.split(" ", TEXT + 1);
            lines.add(parts.length > TEXT ? parts[TEXT] : line);
        }
        var last = tail(lines);
        var text = String.join("\n", last) + (last.isEmpty() ? "" : "\n");
        return text.length() > MOST_LOG_BYTES
                ? text.substring(text.length() - MOST_LOG_BYTES)
                : text;
    }

    private static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - MOST_LOG_LINES), lines.size());
    }
}
