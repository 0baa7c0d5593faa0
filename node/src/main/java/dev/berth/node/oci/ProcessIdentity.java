package dev.berth.node.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// A process of this machine: its number and when it began, since numbers are given again.
///
/// @param startTicks since the start of the machine
record ProcessIdentity(long pid, long startTicks) {

    private static final int STATE_FIELD = 0;
    private static final int START_FIELD = 19;

    /// The process that has a number now; empty for none, and for one that has ended and is only
    /// waited for.
    static Optional<ProcessIdentity> of(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name of the program is in parentheses, and may have some itself.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            return fields[STATE_FIELD].equals("Z") || fields[STATE_FIELD].equals("X")
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[START_FIELD])));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The process whose number a file holds.
    static Optional<ProcessIdentity> in(Path file) {
        try {
            return of(Long.parseLong(Files.readString(file).strip()));
        } catch (IOException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    boolean isAlive() {
        return of(pid).filter(this::equals).isPresent();
    }

    void kill() {
        if (isAlive()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
