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

/// The programs of the machine that do the work.
final class Programs {

    /// A tool that takes longer hangs.
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /// What a program prints beyond is thrown away.
    private static final int MAX_OUTPUT = 1 << 20;

    /// Where administrators' tools are, for users whose `PATH` ends before.
    private static final List<String> USUAL_PLACES =
            List.of("/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/local/bin", "/usr/bin", "/bin");

    /// Which are needed, and which package of Debian has each.
    private static final Map<String, String> PACKAGES = packages();

    private final Map<String, Path> places;

    private Programs(Map<String, Path> places) {
        this.places = places;
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

    /// Finds all that are needed.
    ///
    /// @param path the variable
    /// @throws RuntimeFailure with those that are missing and how to have them
    static Programs find(String path) throws RuntimeFailure {
        var directories = new ArrayList<>(List.of(path.split(":", -1)));
        directories.addAll(USUAL_PLACES);
        return found(directories);
    }

    static Programs found(List<String> directories) throws RuntimeFailure {
        var places = new LinkedHashMap<String, Path>();
        var missing = new ArrayList<String>();
        var install = new TreeSet<String>();
        for (var program : PACKAGES.entrySet()) {
            var place = place(program.getKey(), directories);
            if (place.isPresent()) {
                places.put(program.getKey(), place.get());
            } else {
                missing.add(program.getKey());
                install.add(program.getValue());
            }
        }
        if (!missing.isEmpty()) {
            throw new RuntimeFailure(
                    "this machine lacks %s, by which containers are run; apt-get install %s"
                            .formatted(String.join(", ", missing), String.join(" ", install)));
        }
        return new Programs(places);
    }

    private static Optional<Path> place(String program, List<String> directories) {
        return directories.stream()
                .filter(directory -> directory.startsWith("/"))
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Where a program is.
    String place(String program) {
        var place = places.get(program);
        if (place == null) {
            throw new IllegalArgumentException(
                    program + " is not among those that were looked for");
        }
        return place.toString();
    }

    /// A command line with the program's place.
    List<String> line(String program, List<String> arguments) {
        var line = new ArrayList<String>();
        line.add(place(program));
        line.addAll(arguments);
        return line;
    }

    /// Runs a program to its end.
    CommandResult run(String program, String... arguments) throws RuntimeFailure {
        return run(line(program, List.of(arguments)), "", PATIENCE);
    }

    /// Runs a program that has to succeed.
    ///
    /// @param aim what is being done, for the message
    void must(String aim, List<String> line, String input) throws RuntimeFailure {
        var result = run(line, input, PATIENCE);
        if (result.exitCode() != 0) {
            throw new RuntimeFailure(
                    "%s: %s: %s"
                            .formatted(aim, Path.of(line.getFirst()).getFileName(), said(result)));
        }
    }

    /// What a program said when it failed.
    static String said(CommandResult result) {
        var said = result.errors().isBlank() ? result.output() : result.errors();
        return said.isBlank() ? "it ended with " + result.exitCode() : said.strip();
    }

    /// Runs a program to its end.
    ///
    /// @throws RuntimeFailure when it cannot be started, or takes longer; it is ended then
    static CommandResult run(List<String> line, String input, Duration patience)
            throws RuntimeFailure {
        var process = start(new ProcessBuilder(line));
        try {
            return talk(process, input, patience)
                    .orElseThrow(() ->
                            new RuntimeFailure(
                                    "%s takes longer than %d s and was ended"
                                            .formatted(
                                                    String.join(" ", line), patience.toSeconds())));
        } finally {
            process.destroyForcibly();
        }
    }

    static Process start(ProcessBuilder builder) throws RuntimeFailure {
        var path = builder.environment().getOrDefault("PATH", "");
        builder.environment().put("PATH", path + ":" + String.join(":", USUAL_PLACES));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new RuntimeFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /// Waits for the end of a process and takes what it prints; empty when it takes longer.
    static Optional<CommandResult> talk(Process process, String input, Duration patience)
            throws RuntimeFailure {
        var output = drained(process.getInputStream());
        var errors = drained(process.getErrorStream());
        try (var pipe = process.getOutputStream()) {
            pipe.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // It ended without reading; its exit code tells more.
        }
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
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
            // The process was ended; what it printed before counts.
        }
        return kept.toString(StandardCharsets.UTF_8);
    }
}
