package dev.berth.drivers.testing;

import dev.berth.drivers.machine.HostCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// What a test needs of the machine; without it the test is passed over and says why.
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

    /// What it takes to run a container.
    public static void containers() throws IOException {
        root();
        tools("runc", "busybox");
    }
}
