package dev.berth.drivers.machine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The programs of a machine that drivers call.
public final class HostCommands {

    /// More than any of them takes on a machine that works.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final List<String> ALWAYS = List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

    /// Which package of Debian's has a program that may be missing.
    private static final Map<String, String> PACKAGES =
            Map.ofEntries(
                    Map.entry("ip", "iproute2"),
                    Map.entry("losetup", "mount"),
                    Map.entry("mount", "mount"),
                    Map.entry("umount", "mount"),
                    Map.entry("mkfs.ext4", "e2fsprogs"),
                    Map.entry("fallocate", "util-linux"),
                    Map.entry("flock", "util-linux"),
                    Map.entry("mknod", "coreutils"));

    private final Consumer<List<String>> before;

    public HostCommands() {
        this(_ -> {});
    }

    /// @param before is told each command line before it runs
    public HostCommands(Consumer<List<String>> before) {
        this.before = before;
    }

    /// How a program ended.
    public record Ended(int code, String output, String errors) {

        public boolean isDone() {
            return code == 0;
        }
    }

    /// Runs a program that must succeed.
    ///
    /// @return what it printed, without the last line's end
    public String run(String name, String... arguments) throws DeviceException {
        var ended = attempt(name, arguments);
        if (!ended.isDone()) {
            throw new DeviceException(
                    "%s %s failed (exit code %d): %s"
                            .formatted(
                                    name,
                                    String.join(" ", arguments),
                                    ended.code,
                                    ended.errors.isEmpty() ? "it said nothing" : ended.errors));
        }
        return ended.output;
    }

    /// Runs a program that may fail.
    public Ended attempt(String name, String... arguments) throws DeviceException {
        var line = new ArrayList<String>();
        line.add(path(name).toString());
        line.addAll(Arrays.asList(arguments));
        before.accept(line);
        try {
            return ended(line);
        } catch (IOException e) {
            throw new DeviceException("%s cannot be run: %s".formatted(name, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException("the driver is stopping", e);
        }
    }

    private static Ended ended(List<String> line) throws IOException, InterruptedException {
        // Files, because a program that fills one of two pipes waits for ever.
        var output = Files.createTempFile("berth-tool", ".out");
        var errors = Files.createTempFile("berth-tool", ".err");
        try {
            var process =
                    new ProcessBuilder(line)
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile())
                            .start();
            if (!process.waitFor(PATIENCE)) {
                process.destroyForcibly().waitFor();
                throw new IOException("it did not end within " + PATIENCE.toSeconds() + " s");
            }
            return new Ended(
                    process.exitValue(),
                    Files.readString(output).strip(),
                    Files.readString(errors).strip());
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    /// Where a program is.
    public Path path(String name) throws DeviceException {
        return find(name)
                .orElseThrow(() -> {
                    var source = Optional.ofNullable(PACKAGES.get(name)).orElse(name);
                    return new DeviceException(
                            "there is no program %s; install it (Debian: apt-get install %s)"
                                    .formatted(name, source));
                });
    }

    public Optional<Path> find(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(":", -1)), ALWAYS.stream())
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
