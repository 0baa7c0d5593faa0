package dev.berth.node.oci;

import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Finds and runs the external programs of the runtime.
final class Programs {

    /// Timeout of a program.
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    /// Further output is discarded.
    private static final int MAX_OUTPUT = 1 << 20;

    /// Directories of system programs, for users whose `PATH` lacks them.
    private static final List<String> SYSTEM_DIRECTORIES =
            List.of("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin");

    /// Required programs and the Debian package of each.
    private static final Map<String, String> PACKAGES = packages();

    private final Map<String, Path> paths;

    private Programs(Map<String, Path> paths) {
        this.paths = paths;
    }

    private static Map<String, String> packages() {
        var packages = new LinkedHashMap<String, String>();
        packages.put("runc", "runc");
        packages.put("conmon", "conmon");
        packages.put("ip", "iproute2");
        Stream.of("unshare", "nsenter", "setsid").forEach(one -> packages.put(one, "util-linux"));
        packages.put("mount", "mount");
        packages.put("script", "bsdutils");
        Stream.of("cp", "stty").forEach(one -> packages.put(one, "coreutils"));
        packages.put("hostname", "hostname");
        packages.put("sh", "dash");
        return packages;
    }

    /// Finds all required programs.
    ///
    /// @param path the variable `PATH`
    /// @throws RuntimeFailure with the missing programs and how to install them
    static Programs find(String path) throws RuntimeFailure {
        var directories = new ArrayList<>(List.of(path.split(":", -1)));
        directories.addAll(SYSTEM_DIRECTORIES);
        return found(directories);
    }

    static Programs found(List<String> directories) throws RuntimeFailure {
        var paths = new LinkedHashMap<String, Path>();
        var missing = new ArrayList<String>();
        var install = new TreeSet<String>();
        for (var program : PACKAGES.entrySet()) {
            var found = path(program.getKey(), directories);
            if (found.isPresent()) {
                paths.put(program.getKey(), found.get());
            } else {
                missing.add(program.getKey());
                install.add(program.getValue());
            }
        }
        if (!missing.isEmpty()) {
            throw new RuntimeFailure(
                    "this machine lacks %s, which run containers; apt-get install %s"
                            .formatted(String.join(", ", missing), String.join(" ", install)));
        }
        return new Programs(paths);
    }

    private static Optional<Path> path(String program, List<String> directories) {
        return directories.stream()
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// The path of a program.
    String path(String program) {
        var path = paths.get(program);
        if (path == null) {
            throw new IllegalArgumentException(program + " is not a required program");
        }
        return path.toString();
    }

    /// A command line with the program's path.
    List<String> line(String program, List<String> arguments) {
        var line = new ArrayList<String>();
        line.add(path(program));
        line.addAll(arguments);
        return line;
    }

    /// Runs a program to completion.
    CommandResult run(String program, String... arguments) throws RuntimeFailure {
        return run(line(program, List.of(arguments)), "", TIMEOUT);
    }

    /// Runs a program that must succeed.
    ///
    /// @param failure start of the error message
    void require(String failure, List<String> line, String input) throws RuntimeFailure {
        var result = run(line, input, TIMEOUT);
        if (result.exitCode() != 0) {
            throw new RuntimeFailure(
                    "%s: %s: %s"
                            .formatted(
                                    failure,
                                    Path.of(line.getFirst()).getFileName(),
                                    errorText(result)));
        }
    }

    /// The error output of a failed program.
    static String errorText(CommandResult result) {
        var text = result.errors().isBlank() ? result.output() : result.errors();
        return text.isBlank() ? "exit code " + result.exitCode() : text.strip();
    }

    /// Runs a program to completion.
    ///
    /// @throws RuntimeFailure when it cannot be started, or times out and is killed
    static CommandResult run(List<String> line, String input, Duration timeout)
            throws RuntimeFailure {
        var process = start(new ProcessBuilder(line));
        try {
            return communicate(process, input, timeout)
                    .orElseThrow(() ->
                            new RuntimeFailure(
                                    "%s timed out after %d s and was killed"
                                            .formatted(
                                                    String.join(" ", line), timeout.toSeconds())));
        } finally {
            process.destroyForcibly();
        }
    }

    static Process start(ProcessBuilder builder) throws RuntimeFailure {
        var path = builder.environment().getOrDefault("PATH", "");
        builder.environment().put("PATH", path + ":" + String.join(":", SYSTEM_DIRECTORIES));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new RuntimeFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /// Waits for a process and collects its output; empty on timeout.
    static Optional<CommandResult> communicate(Process process, String input, Duration timeout)
            throws RuntimeFailure {
        var output = drained(process.getInputStream());
        var errors = drained(process.getErrorStream());
        try (var pipe = process.getOutputStream()) {
            pipe.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // It terminated without reading; its exit code is more informative.
        }
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
            return Optional.of(
                    new CommandResult(process.exitValue(), output.join(), errors.join()));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new RuntimeFailure("interrupted", e);
        }
    }

    private static CompletableFuture<String> drained(InputStream stream) {
        var text = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> text.complete(drain(stream)));
        return text;
    }

    private static String drain(InputStream stream) {
        var kept = new ByteArrayOutputStream();
        var buffer = new byte[8192];
        try {
            for (var read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                kept.write(buffer, 0, Math.min(read, MAX_OUTPUT - kept.size()));
            }
        } catch (IOException _) {
            // The process was killed; its output so far counts.
        }
        return kept.toString(StandardCharsets.UTF_8);
    }
}
