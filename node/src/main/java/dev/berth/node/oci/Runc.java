package dev.berth.node.oci;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.LogLimits;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Has `conmon` and `runc` do things to containers.
///
/// `conmon` starts `runc`, stays when both this process and `runc` are gone, writes the log, waits
/// for the container and leaves its exit code in a file.
final class Runc {

    private static final Pattern VERSION = Pattern.compile("runc version ([^\\s+~]+)");
    private static final Pattern MESSAGE =
            Pattern.compile("level=error msg=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /// A message on the control pipe of conmon: the number of the request, and two arguments.
    private static final String REOPEN_LOG = "2 0 0\n";

    private final Programs programs;
    private final Path state;
    private final Path exits;
    private final Path sockets;
    private final LogLimits logs;

    /// @param directory the runtime's own
    Runc(Programs programs, Path directory, LogLimits logs) throws RuntimeFailure {
        this.programs = programs;
        this.logs = logs;
        this.state = directory.resolve("runc");
        this.exits = directory.resolve("exits");
        this.sockets = directory.resolve("sockets");
        for (var one : List.of(state, exits, sockets)) {
            MountOperations.makeDirectory(one);
        }
    }

    /// Where exit codes are left, under the containers' ids.
    Path exits() {
        return exits;
    }

    Path attachLink(String id) {
        return sockets.resolve(id);
    }

    String version() throws RuntimeFailure {
        var result = programs.run("runc", "--version");
        var match = VERSION.matcher(result.output());
        if (result.exitCode() != 0 || !match.find()) {
            throw new RuntimeFailure(
                    "runc --version does not work: %s; install another: apt-get install runc"
                            .formatted(Programs.said(result)));
        }
        return match.group(1);
    }

    /// Creates a container that has a configuration in its bundle, and does not start it.
    ///
    /// @return its first process
    long create(ContainerRecord container, Path bundle, boolean hasTerminal, boolean hasInput)
            throws RuntimeFailure {
        // conmon tells how it went on a descriptor of its own; it closes the usual ones. It goes
        // into the background before, and Java stops listening when what it started has ended:
        // the shell waits for what is told.
        var line = new ArrayList<>(List.of(programs.place("sh"), "-c"));
        line.add("_OCI_SYNCPIPE=3 \"$0\" \"$@\" 3>&1 | head -n 1");
        line.add(programs.place("conmon"));
        line.addAll(List.of("-c", container.id(), "-u", container.id(), "-n", container.id()));
        line.addAll(List.of("-r", programs.place("runc")));
        line.addAll(List.of("--runtime-arg", "--root", "--runtime-arg", state.toString()));
        line.addAll(List.of("-b", bundle.toString(), "-p", bundle.resolve("pid").toString()));
        line.addAll(List.of("-P", bundle.resolve("conmon.pid").toString()));
        line.addAll(List.of("-l", "k8s-file:" + container.log()));
        // conmon replaces a log of this size. It comes to that only when no agent rotates logs.
        line.addAll(List.of("--log-size-max", String.valueOf(logs.totalBytes())));
        line.addAll(List.of("--exit-dir", exits.toString(), "--persist-dir", bundle.toString()));
        line.addAll(List.of("--socket-dir-path", sockets.toString()));
        if (hasTerminal) {
            line.add("--terminal");
        }
        if (hasInput) {
            line.add("--stdin");
        }
        var process =
                Programs.start(
                        new ProcessBuilder(line)
                                .directory(bundle.toFile())
                                .redirectError(bundle.resolve("conmon.log").toFile()));
        return answer(process, bundle);
    }

    private static long answer(Process process, Path bundle) throws RuntimeFailure {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            var said = reader.readLine();
            if (said != null
                    && JsonReader.read(said) instanceof ParseResult.Documents(var documents)
                    && documents.getFirst().root() instanceof JsonObject answer) {
                var pid = answer.number("pid").orElse(-1);
                if (pid > 0) {
                    return pid;
                }
                throw new RuntimeFailure(plain(answer.text("message")));
            }
            var log = Files.readString(bundle.resolve("conmon.log")).strip();
            throw new RuntimeFailure(
                    "conmon ended without creating the container: "
                            + (log.isEmpty() ? String.valueOf(said) : log));
        } catch (IOException e) {
            throw new RuntimeFailure("conmon cannot be heard: " + e.getMessage(), e);
        }
    }

    /// What runc means, without the form of its log.
    static String plain(String message) {
        var match = MESSAGE.matcher(message);
        var parts = new ArrayList<String>();
        while (match.find()) {
            parts.add(match.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        return parts.isEmpty() ? message.strip() : String.join("; ", parts);
    }

    /// Has a container's conmon close its log and make a new file of the same name.
    static void reopenLog(Path bundle) throws RuntimeFailure {
        // Opened for reading, too: without a reader, which a conmon that has ended no longer is,
        // opening a pipe for writing would wait for ever.
        try (var control =
                FileChannel.open(
                        bundle.resolve("ctl"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            control.write(ByteBuffer.wrap(REOPEN_LOG.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new RuntimeFailure("conmon cannot be told: " + e.getMessage(), e);
        }
    }

    void start(String id) throws RuntimeFailure {
        succeed("it cannot be started", runc("start", id));
    }

    /// Starts a container that waits for it.
    void startIfCreated(String id) throws RuntimeFailure {
        var result = runc("state", id);
        if (result.exitCode() == 0
                && JsonReader.read(result.output()) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject state
                && state.text("status").equals("created")) {
            start(id);
        }
    }

    /// Sends a signal; whether anybody is there to get it is seen otherwise.
    CommandResult kill(String id, String signal) throws RuntimeFailure {
        return runc("kill", id, signal);
    }

    /// Ends a container at once, and has runc forget it; fine when it does not know it.
    void delete(String id) throws RuntimeFailure {
        succeed("it cannot be deleted", runc("delete", "--force", id));
    }

    /// The beginning of a command line that runs something in a container.
    ///
    /// @param pidFile where the process's number goes
    List<String> exec(String id, boolean hasTerminal, Path pidFile) {
        var line = new ArrayList<>(List.of(programs.place("runc"), "--root", state.toString()));
        line.addAll(List.of("exec", "--pid-file", pidFile.toString()));
        if (hasTerminal) {
            line.add("--tty");
        }
        line.add(id);
        return line;
    }

    private CommandResult runc(String... arguments) throws RuntimeFailure {
        var line = new ArrayList<>(List.of("--root", state.toString()));
        line.addAll(List.of(arguments));
        return Programs.run(programs.line("runc", line), "", Programs.PATIENCE);
    }

    private static void succeed(String otherwise, CommandResult result) throws RuntimeFailure {
        if (result.exitCode() != 0) {
            throw new RuntimeFailure(otherwise + ": " + plain(Programs.said(result)));
        }
    }
}
