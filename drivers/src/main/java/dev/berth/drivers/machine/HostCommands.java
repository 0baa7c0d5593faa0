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

/// Runs host commands for drivers.
public final class HostCommands {

    /// Timeout of a command, longer than any takes on a healthy machine.
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private static final List<String> STANDARD_DIRECTORIES =
            List.of("/usr/sbin", "/sbin", "/usr/bin", "/bin");

    /// Debian packages of the commands, for error messages.
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

    /// @param before receives each command line before it runs
    public HostCommands(Consumer<List<String>> before) {
        this.before = before;
    }

    /// The result of a command.
    public record CommandResult(int code, String output, String errors) {

        public boolean isSuccess() {
            return code == 0;
        }
    }

    /// Runs a command that must succeed.
    ///
    /// @return its output without the trailing line break
    public String run(String name, String... arguments) throws DeviceException {
        var result = attempt(name, arguments);
        if (!result.isSuccess()) {
            throw new DeviceException(
                    "%s %s failed (exit code %d): %s"
                            .formatted(
                                    name,
                                    String.join(" ", arguments),
                                    result.code,
                                    result.errors.isEmpty() ? "no error output" : result.errors));
        }
        return result.output;
    }

    /// Runs a command that may fail.
    public CommandResult attempt(String name, String... arguments) throws DeviceException {
        var line = new ArrayList<String>();
        line.add(path(name).toString());
        line.addAll(Arrays.asList(arguments));
        before.accept(line);
        try {
            return result(line);
        } catch (IOException e) {
            throw new DeviceException("cannot run %s: %s".formatted(name, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DeviceException("the driver is stopping", e);
        }
    }

    private static CommandResult result(List<String> line)
            throws IOException, InterruptedException {
        // Files instead of pipes: a process that fills one of two pipes blocks.
        var output = Files.createTempFile("berth-tool", ".out");
        var errors = Files.createTempFile("berth-tool", ".err");
        try {
            var process =
                    new ProcessBuilder(line)
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .redirectOutput(output.toFile())
                            .redirectError(errors.toFile())
                            .start();
            if (!process.waitFor(TIMEOUT)) {
                process.destroyForcibly().waitFor();
                throw new IOException("timed out after " + TIMEOUT.toSeconds() + " s");
            }
            return new CommandResult(
                    process.exitValue(),
                    Files.readString(output).strip(),
                    Files.readString(errors).strip());
        } finally {
            Files.deleteIfExists(output);
            Files.deleteIfExists(errors);
        }
    }

    /// The path of a command.
    public Path path(String name) throws DeviceException {
        return find(name)
                .orElseThrow(() -> {
                    var source = Optional.ofNullable(PACKAGES.get(name)).orElse(name);
                    return new DeviceException(
                            "command %s not found; install it (Debian: apt-get install %s)"
                                    .formatted(name, source));
                });
    }

    public Optional<Path> find(String name) {
        var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Arrays.stream(path.split(":", -1)), STANDARD_DIRECTORIES.stream())
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
