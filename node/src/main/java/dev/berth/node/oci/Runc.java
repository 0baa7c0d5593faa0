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

/// Runs `conmon` and `runc` for containers.
///
/// `conmon` starts `runc`, outlives both this process and `runc`, writes the log, waits for the
/// container and writes its exit code to a file.
final class Runc {

    private static final Pattern VERSION = Pattern.compile("runc version ([^\\s+~]+)");
    private static final Pattern MESSAGE =
            Pattern.compile("level=error msg=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /// A message on conmon's control pipe: request number and two arguments.
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

    /// Directory of exit files, named by container ID.
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
                            .formatted(Programs.errorText(result)));
        }
        return match.group(1);
    }

    /// Creates a container from the configuration in its bundle, without starting it.
    ///
    /// @return PID of its first process
    long create(ContainerRecord container, Path bundle, boolean hasTerminal, boolean hasInput)
            throws RuntimeFailure {
        // conmon reports its result on a separate descriptor and closes the standard ones. It
        // daemonizes first, and Java stops reading when the process it started has ended: the shell
        // waits for the result.
        var line = new ArrayList<>(List.of(programs.path("sh"), "-c"));
        line.add("_OCI_SYNCPIPE=3 \"$0\" \"$@\" 3>&1 | head -n 1");
        line.add(programs.path("conmon"));
        line.addAll(List.of("-c", container.id(), "-u", container.id(), "-n", container.id()));
        line.addAll(List.of("-r", programs.path("runc")));
        line.addAll(List.of("--runtime-arg", "--root", "--runtime-arg", state.toString()));
        line.addAll(List.of("-b", bundle.toString(), "-p", bundle.resolve("pid").toString()));
        line.addAll(List.of("-P", bundle.resolve("conmon.pid").toString()));
        line.addAll(List.of("-l", "k8s-file:" + container.log()));
        // conmon replaces a log of this size, which it reaches only if no agent rotates logs.
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
        return createdPid(process, bundle);
    }

    private static long createdPid(Process process, Path bundle) throws RuntimeFailure {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            var message = reader.readLine();
            if (message != null
                    && JsonReader.read(message) instanceof ParseResult.Documents(var documents)
                    && documents.getFirst().root() instanceof JsonObject result) {
                var pid = result.number("pid").orElse(-1);
                if (pid > 0) {
                    return pid;
                }
                throw new RuntimeFailure(plain(result.text("message")));
            }
            var log = Files.readString(bundle.resolve("conmon.log")).strip();
            throw new RuntimeFailure(
                    "conmon exited without creating the container: "
                            + (log.isEmpty() ? String.valueOf(message) : log));
        } catch (IOException e) {
            throw new RuntimeFailure("cannot read the result of conmon: " + e.getMessage(), e);
        }
    }

    /// The messages of runc's log lines.
    static String plain(String message) {
        var match = MESSAGE.matcher(message);
        var parts = new ArrayList<String>();
        while (match.find()) {
            parts.add(match.group(1).replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        return parts.isEmpty() ? message.strip() : String.join("; ", parts);
    }

    /// Makes conmon close its log and create a new file of the same name.
    static void reopenLog(Path bundle) throws RuntimeFailure {
        // Opened for reading, too: without a reader, which a terminated conmon no longer is,
        // opening a pipe for writing would block forever.
        try (var control =
                FileChannel.open(
                        bundle.resolve("ctl"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            control.write(ByteBuffer.wrap(REOPEN_LOG.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "cannot write to the control pipe of conmon: " + e.getMessage(), e);
        }
    }

    void start(String id) throws RuntimeFailure {
        require("it cannot be started", runc("start", id));
    }

    /// Starts a container that is in state `created`.
    void startIfCreated(String id) throws RuntimeFailure {
        var result = runc("state", id);
        if (result.exitCode() == 0
                && JsonReader.read(result.output()) instanceof ParseResult.Documents(var documents)
                && documents.getFirst().root() instanceof JsonObject state
                && state.text("status").equals("created")) {
            start(id);
        }
    }

    /// Sends a signal. Whether a process received it is determined otherwise.
    CommandResult kill(String id, String signal) throws RuntimeFailure {
        return runc("kill", id, signal);
    }

    /// Kills and deletes a container; succeeds if runc does not know it.
    void delete(String id) throws RuntimeFailure {
        require("it cannot be deleted", runc("delete", "--force", id));
    }

    /// The start of a command line that runs a command in a container.
    ///
    /// @param pidFile receives the PID of the command
    List<String> exec(String id, boolean hasTerminal, Path pidFile) {
        var line = new ArrayList<>(List.of(programs.path("runc"), "--root", state.toString()));
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
        return Programs.run(programs.line("runc", line), "", Programs.TIMEOUT);
    }

    private static void require(String failure, CommandResult result) throws RuntimeFailure {
        if (result.exitCode() != 0) {
            throw new RuntimeFailure(failure + ": " + plain(Programs.errorText(result)));
        }
    }
}
