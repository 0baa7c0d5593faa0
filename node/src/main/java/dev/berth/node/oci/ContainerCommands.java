package dev.berth.node.oci;

import dev.berth.node.runtime.CommandResult;
import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Runs commands in containers, beside what runs there.
final class ContainerCommands {

    private final OciServices parts;

    ContainerCommands(OciServices parts) {
        this.parts = parts;
    }

    CommandResult run(ContainerRecord container, List<String> command, Duration timeout)
            throws RuntimeFailure {
        var pidFile = pidFile(container);
        var line = parts.runc().exec(container.id(), false, pidFile);
        line.addAll(command);
        var process = Programs.start(new ProcessBuilder(line));
        try {
            var result = Programs.talk(process, "", timeout);
            if (result.isEmpty()) {
                killGroup(parts.programs(), pidFile);
                throw new RuntimeFailure(
                        "the command %s in container %s takes longer than %s and was ended"
                                .formatted(
                                        String.join(" ", command),
                                        container.name(),
                                        text(timeout)));
            }
            if (!Files.exists(pidFile)) {
                throw new RuntimeFailure(
                        "the command %s cannot be run in container %s: %s"
                                .formatted(
                                        String.join(" ", command),
                                        container.name(),
                                        Runc.plain(Programs.said(result.get()))));
            }
            return result.get();
        } finally {
            process.destroyForcibly();
            forget(pidFile);
        }
    }

    private static String text(Duration timeout) {
        return timeout.toMillis() % 1000 == 0
                ? timeout.toSeconds() + " s"
                : timeout.toMillis() + " ms";
    }

    /// Begins a command. A terminal is made by `script`, since Java cannot make one: runc sees the
    /// one and gives the container another, and passes on what is typed, printed and resized.
    CommandSession open(ContainerRecord container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        var pidFile = pidFile(container);
        var line = parts.runc().exec(container.id(), hasTerminal, pidFile);
        line.addAll(command);
        var process = Programs.start(hasTerminal ? onTerminal(line) : new ProcessBuilder(line));
        return new ExecSession(process, pidFile, parts.programs(), hasTerminal);
    }

    private ProcessBuilder onTerminal(List<String> line) {
        var quoted = new ArrayList<String>();
        line.forEach(one -> quoted.add("'" + one.replace("'", "'\\''") + "'"));
        // The outer terminal must not echo: the inner one does.
        var script = "stty raw -echo; exec " + String.join(" ", quoted);
        var builder =
                new ProcessBuilder(parts.programs().place("script"), "-qefc", script, "/dev/null");
        builder.environment().put("SHELL", parts.programs().place("sh"));
        return builder.redirectErrorStream(true);
    }

    private Path pidFile(ContainerRecord container) {
        return parts.bundle(container.id()).resolve("exec-" + OciServices.newId() + ".pid");
    }

    /// A command is the leader of its group, in which its children are.
    static void killGroup(Programs programs, Path pidFile) throws RuntimeFailure {
        var process = ProcessIdentity.in(pidFile);
        if (process.isPresent()) {
            programs.run("sh", "-c", "kill -s KILL -- -" + process.get().pid());
        }
    }

    static void forget(Path pidFile) {
        try {
            Files.deleteIfExists(pidFile);
        } catch (IOException _) {
            // It goes with the container.
        }
    }
}
