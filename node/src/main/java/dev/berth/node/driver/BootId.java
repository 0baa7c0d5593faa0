package dev.berth.node.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Which start of the machine this is: what was set up before it is gone.
final class BootId {

    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /// Always the same where the kernel does not tell.
    static String id() {
        try {
            return Files.readString(ID).strip();
        } catch (IOException _) {
            return "unknown";
        }
    }
}
