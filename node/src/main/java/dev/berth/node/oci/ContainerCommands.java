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

/// Runs commands in running containers (exec).
final class ContainerCommands {

    private final OciServices services;

    ContainerCommands(OciServices services) {
        this.services = services;
    }

    CommandResult run(ContainerRecord container, List<String> command, Duration timeout)
            throws RuntimeFailure {
        var pidFile = pidFile(container);
        var line = services.runc().exec(container.id(), false, pidFile);
        line.addAll(command);
        var process = Programs.start(new ProcessBuilder(line));
        try {
            var result = Programs.communicate(process, "", timeout);
            if (result.isEmpty()) {
                killGroup(services.programs(), pidFile);
                throw new RuntimeFailure(
                        "the command %s in container %s timed out after %s and was killed"
                                .formatted(
                                        String.join(" ", command),
                                        container.name(),
                                        text(timeout)));
            }
            if (!Files.exists(pidFile)) {
                throw new RuntimeFailure(
                        "cannot run the command %s in container %s: %s"
                                .formatted(
                                        String.join(" ", command),
                                        container.name(),
                                        Runc.plain(Programs.errorText(result.get()))));
            }
            return result.get();
        } finally {
            process.destroyForcibly();
            deletePidFile(pidFile);
        }
    }

    private static String text(Duration timeout) {
        return timeout.toMillis() % 1000 == 0
                ? timeout.toSeconds() + " s"
                : timeout.toMillis() + " ms";
    }

    /// Starts a command. Java cannot create a pseudoterminal, so `script` does: runc sees that
    /// terminal, gives the container another one, and forwards input, output and window size.
    CommandSession open(ContainerRecord container, List<String> command, boolean hasTerminal)
            throws RuntimeFailure {
        var pidFile = pidFile(container);
        var line = services.runc().exec(container.id(), hasTerminal, pidFile);
        line.addAll(command);
        var process = Programs.start(hasTerminal ? onTerminal(line) : new ProcessBuilder(line));
        return new ExecSession(process, pidFile, services.programs(), hasTerminal);
    }

    private ProcessBuilder onTerminal(List<String> line) {
        var quoted = new ArrayList<String>();
        line.forEach(one -> quoted.add("'" + one.replace("'", "'\\''") + "'"));
        // The outer terminal must not echo because the inner one does.
        var script = "stty raw -echo; exec " + String.join(" ", quoted);
        var builder =
                new ProcessBuilder(
                        services.programs().path("script"), "-qefc", script, "/dev/null");
        builder.environment().put("SHELL", services.programs().path("sh"));
        return builder.redirectErrorStream(true);
    }

    private Path pidFile(ContainerRecord container) {
        return services.bundle(container.id()).resolve("exec-" + OciServices.newId() + ".pid");
    }

    /// Kills the process group of a command, which the command leads.
    static void killGroup(Programs programs, Path pidFile) throws RuntimeFailure {
        var process = ProcessIdentity.in(pidFile);
        if (process.isPresent()) {
            programs.run("sh", "-c", "kill -s KILL -- -" + process.get().pid());
        }
    }

    static void deletePidFile(Path pidFile) {
        try {
            Files.deleteIfExists(pidFile);
        } catch (IOException _) {
            // The file is removed with the container.
        }
    }
}
