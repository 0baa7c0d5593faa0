package dev.berth.node.oci;

import dev.berth.node.runtime.CommandSession;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A command in a container, as a runc process of this machine.
final class ExecSession implements CommandSession {

    private static final Logger LOG = LoggerFactory.getLogger(ExecSession.class);
    private static final long POLL_MILLIS = 10;
    private static final int MAX_POLLS = 200;
    private static final long KILL_TIMEOUT_MILLIS = 1000;
    private static final String TERMINALS = "/dev/pts/";

    private final Process process;
    private final Path pidFile;
    private final Programs programs;
    private final boolean hasTerminal;

    ExecSession(Process process, Path pidFile, Programs programs, boolean hasTerminal) {
        this.process = process;
        this.pidFile = pidFile;
        this.programs = programs;
        this.hasTerminal = hasTerminal;
    }

    @Override
    public OutputStream input() {
        return process.getOutputStream();
    }

    @Override
    public InputStream output() {
        return process.getInputStream();
    }

    @Override
    public InputStream errors() {
        return hasTerminal ? InputStream.nullInputStream() : process.getErrorStream();
    }

    @Override
    public void resize(int columns, int rows) {
        if (!hasTerminal) {
            return;
        }
        try {
            var terminal = terminal();
            if (terminal.isPresent()) {
                programs.run(
                        "stty",
                        "-F",
                        terminal.get(),
                        "cols",
                        Integer.toString(columns),
                        "rows",
                        Integer.toString(rows));
            }
        } catch (RuntimeFailure e) {
            LOG.debug("cannot resize a terminal: {}", e.getMessage());
        }
    }

    /// The terminal of the runc process. Clients send their window size at once, so it may not
    /// exist yet.
    private Optional<String> terminal() {
        for (var i = 0; i < MAX_POLLS && process.isAlive(); i++) {
            var found =
                    process.children().map(ExecSession::standardInput).flatMap(Optional::stream);
            var terminal = found.filter(one -> one.startsWith(TERMINALS)).findFirst();
            if (terminal.isPresent()) {
                return terminal;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Optional<String> standardInput(ProcessHandle child) {
        try {
            var link = Path.of("/proc", Long.toString(child.pid()), "fd", "0");
            return Optional.of(Files.readSymbolicLink(link).toString());
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    @Override
    public int exitCode() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        try {
            if (process.isAlive()) {
                ContainerCommands.killGroup(programs, pidFile);
                process.waitFor(KILL_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (RuntimeFailure e) {
            LOG.warn("a command may still run in its container: {}", e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
            ContainerCommands.deletePidFile(pidFile);
        }
    }
}
