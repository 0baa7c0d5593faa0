package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriverCommandTest {

    @TempDir private Path directory = Path.of("");

    @Test
    void coresOfThisMachineAreListed() {
        assertThat(run("driver", "cpu", "--list"))
                .startsWith("0 DEVICE")
                .contains("core-")
                .contains("threads=");
        assertThat(run("driver", "cpu.berth.dev", "--list", "-o", "yaml", "--node", "n1"))
                .contains("kind: ResourceSlice")
                .contains("nodeName: n1")
                .contains("driver: cpu.berth.dev");
    }

    @Test
    void theConfigurationCounts() throws IOException {
        var file = directory.resolve("drivers.yaml");
        var storage = directory.resolve("disks");
        Files.writeString(
                file, "disk: {storages: [{name: s, path: %s, size: 1Gi}]}\n".formatted(storage));
        assertThat(run("driver", "disk", "--list", "--config", file.toString()))
                .startsWith("0 ")
                .contains("size=1Gi");
        Files.writeString(file, "disk: {storages: [{name: s, path: tmp}]}\n");
        assertThat(run("driver", "disk", "--list", "--config", file.toString()))
                .isEqualToIgnoringNewLines(
                        "1 berth: invalid driver configuration: disk: storages[0].path:"
                                + " \"tmp\" is not an absolute path");
    }

    @Test
    void aDriverMustExist() {
        assertThat(run("driver", "gpu"))
                .startsWith(
                        "2 berth: unknown driver \"gpu\"; the drivers are cpu, disk, nic, chardev,"
                                + " pci");
        assertThat(run("driver", "--help")).startsWith("0 ").contains("Exit codes:", "Examples:");
    }

    private static String run(String... arguments) {
        var printed = new StringWriter();
        var out = new PrintWriter(printed);
        var code = Berth.commandLine().setOut(out).setErr(out).execute(arguments);
        out.flush();
        return code + " " + printed;
    }
}
