package dev.berth.node.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The kernel's boot ID. State that was prepared during an earlier boot is gone.
final class BootId {

    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /// The boot ID, or a constant on kernels that do not provide one.
    static String id() {
        try {
            return Files.readString(ID).strip();
        } catch (IOException _) {
            return "unknown";
        }
    }
}
