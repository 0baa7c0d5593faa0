package dev.berth.node.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Which start of the machine this is: what was set up before it is gone.
final class Boot {

    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /// Always the same where the kernel does not tell.
    static String id() {
        try {
            return Files.readString(ID).strip();
        } catch (IOException _) {
            return "unknown";
        }
    }
}
