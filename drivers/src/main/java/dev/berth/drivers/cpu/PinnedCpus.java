package dev.berth.drivers.cpu;

import dev.berth.model.api.Uid;
import dev.berth.node.sysfs.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What the hook has noted: one file for each container, named by its first process and when that
/// began, with a line `cgroup PATH` and a line `claim UID CPUS` for each core; and beside each
/// claim, in lines `PATH CPUS`, which cgroups above were told that CPUs are taken.
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

    /// Forgets a claim's containers and those that have ended, and lets others have the CPUs.
    void release(Uid claim) throws IOException {
        for (var file : files(directory.resolve("containers"))) {
            var isOfClaim =
                    Files.readAllLines(file).stream()
                            .anyMatch(line -> line.startsWith("claim " + claim.value() + " "));
            if (isOfClaim || !isAlive(file)) {
                Files.deleteIfExists(file);
            }
        }
        var taken = directory.resolve("exclusive").resolve(claim.value());
        for (var line : lines(taken)) {
            var blank = line.lastIndexOf(' ');
            var file = cgroups.resolve(line.substring(0, Math.max(0, blank))).resolve(EXCLUSIVE);
            if (Files.exists(file)) {
                give(file, CpuList.parse(line.substring(blank + 1)));
            }
        }
        Files.deleteIfExists(taken);
    }

    private static void give(Path file, List<Integer> cpus) throws IOException {
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
