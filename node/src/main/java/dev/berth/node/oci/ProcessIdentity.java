package dev.berth.node.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Identity of a process: its PID and start time, because PIDs are reused.
///
/// @param startTicks start time in clock ticks since boot
record ProcessIdentity(long pid, long startTicks) {

    private static final int STATE_FIELD = 0;
    private static final int START_FIELD = 19;

    /// The process that has a PID now; empty for none, and for a zombie.
    static Optional<ProcessIdentity> of(long pid) {
        try {
            var stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The program name is in parentheses and may contain some itself.
            var fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            return fields[STATE_FIELD].equals("Z") || fields[STATE_FIELD].equals("X")
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(pid, Long.parseLong(fields[START_FIELD])));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    /// The process whose PID a file contains.
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
