package dev.berth.node.oci;

import dev.berth.node.runtime.ContainerState.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// What the machine shows of a container.
///
/// @param exit what its monitor left; empty while there is nothing
/// @param isRunning true while its first process, or the monitor who would tell of its end, is
///   there
/// @param ranOutOfMemory true when something in it was ended for that
record ContainerEvidence(Optional<Exit> exit, boolean isRunning, boolean ranOutOfMemory) {

    /// What an exit is that nobody has seen.
    static final int UNKNOWN_EXIT = 255;

    /// The end of a container.
    record Exit(int code, Instant time) {}

    /// Looks at processes first: whoever ends in between has left a file.
    static ContainerEvidence of(ContainerRecord container, Path exits, Path bundle) {
        var isRunning =
                container.process().filter(ProcessIdentity::isAlive).isPresent()
                        || container.monitor().filter(ProcessIdentity::isAlive).isPresent();
        return new ContainerEvidence(
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

    /// How far a container is.
    ///
    /// @param boot which start of the machine this is
    Phase phase(ContainerRecord container, String boot) {
        var began = container.startedAt().orElse(container.createdAt());
        if (exit.isPresent()) {
            var code = exit.get().code();
            return new Phase.Exited(began, exit.get().time(), code, reason(code), "");
        }
        if (!container.boot().equals(boot)) {
            return lost(began, "the machine was restarted while it was there");
        }
        if (!isRunning) {
            return lost(began, "its monitor (conmon) was killed, so its exit code is not known");
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

    private static Phase lost(Instant began, String why) {
        return new Phase.Exited(began, began, UNKNOWN_EXIT, "Unknown", why);
    }
}
