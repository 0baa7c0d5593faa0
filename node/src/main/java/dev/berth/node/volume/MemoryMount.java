package dev.berth.node.volume;

import dev.berth.model.quantity.Quantity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Directories that are kept in memory.
final class MemoryMount {

    private static final long TIMEOUT_SECONDS = 30;
    private static final int MOUNT_POINT = 4;

    private MemoryMount() {}

    /// Mounts memory on a directory, if that has not been done.
    ///
    /// @param size a quantity
    static void ensure(Path directory, Optional<String> size) throws IOException, VolumeProblem {
        if (below(directory).contains(directory)) {
            return;
        }
        var options =
                "mode=0777"
                        + size.flatMap(Quantity::tryParse)
                                .map(one -> ",size=" + one.roundedUp())
                                .orElse("");
        run(List.of("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString()));
    }

    /// Unmounts everything at or below a directory.
    static void removeBelow(Path directory) throws IOException {
        for (var mount : below(directory).reversed()) {
            try {
                run(List.of("umount", mount.toString()));
            } catch (VolumeProblem e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    /// What is mounted at or below a directory, in the order in which it was.
    private static List<Path> below(Path directory) throws IOException {
        var mounts = new ArrayList<Path>();
        for (var line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            var path = Path.of(unescaped(line.split(" ", -1)[MOUNT_POINT]));
            if (path.startsWith(directory.toAbsolutePath())) {
                mounts.add(path);
            }
        }
        return mounts;
    }

    private static String unescaped(String path) {
        return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
    }

    private static void run(List<String> command) throws IOException, VolumeProblem {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream()) {
            var said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new VolumeProblem(
                        "%s failed: %s; the agent has to run as root"
                                .formatted(String.join(" ", command), said.strip()));
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while mounting", e);
        }
    }
}
