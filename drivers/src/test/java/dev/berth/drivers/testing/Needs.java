package dev.berth.drivers.testing;

import dev.berth.drivers.machine.HostCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Assumptions of tests about the machine; a test is skipped with the reason if one fails.
public final class Needs {

    private Needs() {}

    public static void root() throws IOException {
        Assumptions.assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid")),
                "needs root");
    }

    public static void tools(String... names) {
        for (var name : names) {
            Assumptions.assumeTrue(
                    new HostCommands().find(name).isPresent(), "needs the program " + name);
        }
    }

    public static void file(String path) {
        Assumptions.assumeTrue(Files.exists(Path.of(path)), "needs " + path);
    }

    /// Requires the commands to run containers.
    public static void containers() throws IOException {
        root();
        tools("runc", "busybox");
    }
}
