package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerState.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// A container's state as processes and files of the machine show it.
///
/// @param exit the exit file of its monitor; empty while there is none
/// @param isRunning true while its first process, or the monitor that records its exit, is alive
/// @param ranOutOfMemory true if the OOM killer killed a process in it
record ContainerProcessStatus(Optional<Exit> exit, boolean isRunning, boolean ranOutOfMemory) {

    /// Exit code of containers whose exit was not recorded.
    static final int UNKNOWN_EXIT = 255;

    /// Exit code and time of a container.
    record Exit(int code, Instant time) {}

    /// Reads processes before files: a process that terminates in between has left its file.
    static ContainerProcessStatus of(ContainerRecord container, Path exits, Path bundle) {
        var isRunning =
                container.process().filter(ProcessIdentity::isAlive).isPresent()
                        || container.monitor().filter(ProcessIdentity::isAlive).isPresent();
        return new ContainerProcessStatus(
                exit(exits.resolve(container.id())),
                isRunning,
                Files.exists(bundle.resolve("oom")));
    }

    private static Optional<Exit> exit(Path file) {
        try {
            var code = Integer.parseInt(Files.readString(file).strip());
            return Optional.of(new Exit(code, Files.getLastModifiedTime(file).toInstant()));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The phase of a container.
    ///
    /// @param boot current boot ID
    Phase phase(ContainerRecord container, String boot) {
        var startedAt = container.startedAt().orElse(container.createdAt());
        if (exit.isPresent()) {
            var code = exit.get().code();
            return new Phase.Exited(startedAt, exit.get().time(), code, reason(code), "");
        }
        if (!container.boot().equals(boot)) {
            return lost(startedAt, "the machine was rebooted");
        }
        if (!isRunning) {
            return lost(
                    startedAt, "its monitor (conmon) was killed, so its exit code is not known");
        }
        return container.startedAt().isPresent()
                ? new Phase.Running(container.startedAt().get())
                : new Phase.Created();
    }

    private String reason(int code) {
        if (code == 0) {
            return "Completed";
        }
        return ranOutOfMemory ? "OOMKilled" : "Error";
    }

    private static Phase lost(Instant startedAt, String message) {
        return new Phase.Exited(startedAt, startedAt, UNKNOWN_EXIT, "Unknown", message);
    }
}
