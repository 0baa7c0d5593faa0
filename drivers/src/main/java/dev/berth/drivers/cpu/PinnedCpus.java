package dev.berth.drivers.cpu;

import dev.berth.model.api.meta.Uid;
import dev.berth.node.sysfs.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The records of the hook. One file per container, named after the PID and start time of its first
/// process, has a line `cgroup PATH` and a line `claim UID CPUS` for each core. One file per claim
/// lists in lines `PATH CPUS` the CPUs that were made exclusive in parent cgroups.
final class PinnedCpus {

    private static final String EXCLUSIVE = "cpuset.cpus.exclusive";

    private final Path directory;
    private final Path proc;
    private final Path cgroups;

    PinnedCpus(Path directory, Path proc, Path cgroups) {
        this.directory = directory;
        this.proc = proc;
        this.cgroups = cgroups;
    }

    Path directory() {
        return directory;
    }

    /// Deletes the records of a claim's containers and of terminated ones, and releases the
    /// exclusive CPUs.
    void release(Uid claim) throws IOException {
        for (var file : files(directory.resolve("containers"))) {
            var isOfClaim =
                    Files.readAllLines(file).stream()
                            .anyMatch(line -> line.startsWith("claim " + claim.value() + " "));
            if (isOfClaim || !isAlive(file)) {
                Files.deleteIfExists(file);
            }
        }
        var exclusive = directory.resolve("exclusive").resolve(claim.value());
        for (var line : lines(exclusive)) {
            var blank = line.lastIndexOf(' ');
            var file = cgroups.resolve(line.substring(0, Math.max(0, blank))).resolve(EXCLUSIVE);
            if (Files.exists(file)) {
                release(file, CpuList.parse(line.substring(blank + 1)));
            }
        }
        Files.deleteIfExists(exclusive);
    }

    private static void release(Path file, List<Integer> cpus) throws IOException {
        var left = new ArrayList<>(CpuList.parse(Files.readString(file)));
        left.removeAll(cpus);
        var text = left.stream().map(String::valueOf).collect(Collectors.joining(","));
        Files.writeString(file, text + "\n");
    }

    private boolean isAlive(Path file) {
        var name = String.valueOf(file.getFileName());
        return Files.exists(proc.resolve(name.substring(0, Math.max(0, name.indexOf('-')))));
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException _) {
            return List.of();
        }
    }
}
