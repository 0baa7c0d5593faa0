package dev.berth.app.running;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Identity of a process beyond its pid: its start time since boot, and the boot id.
final class ClusterProcessId {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /// Fields of `/proc/PID/stat` after the program name, which may contain any character.
    private static final int STATE = 0;

    private static final int START_TIME = 19;

    private ClusterProcessId() {}

    /// The identity of a process; empty when there is none with that pid, or when it is a zombie.
    static Optional<String> of(long pid) {
        if (!Files.isReadable(BOOT)) {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .map(process -> process.info().startInstant().toString());
        }
        try {
            var text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
            var hasEnded = fields[STATE].equals("Z") || fields[STATE].equals("X");
            return hasEnded
                    ? Optional.empty()
                    : Optional.of(Files.readString(BOOT).strip() + "/" + fields[START_TIME]);
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
