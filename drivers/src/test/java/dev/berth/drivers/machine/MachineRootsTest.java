package dev.berth.drivers.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.drivers.machine.MountInfo.Mount;
import dev.berth.drivers.testing.Claims;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineRootsTest {

    @Test
    void mountsAreRead() {
        assertThat(
                        MountInfo.parse(
                                """
                                22 28 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
                                97 28 7:0 / /mnt/a\\040b\\134c rw shared:1 - ext4 /dev/loop0 rw
                                nonsense
                                """))
                .containsExactly(
                        new Mount("0:20", "/sys", "sysfs", "sysfs"),
                        new Mount("7:0", "/mnt/a b\\c", "ext4", "/dev/loop0"));
        assertThat(MountInfo.read(Path.of("/proc")))
                .anyMatch(mount -> mount.mountPoint().equals("/"));
    }

    /// A mount that is missed would let a disk in use be allocated.
    @Test
    void mountPointsWithInvalidUtf8AreRead(@TempDir Path proc) throws IOException {
        var table = "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 8:2 /\u00ff\r /b rw - ext4 /dev/b rw\n";
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("self/mountinfo"), table, StandardCharsets.ISO_8859_1);
        assertThat(MountInfo.read(proc))
                .extracting(MountInfo.Mount::mountPoint)
                .containsExactly("/", "/b");
    }

    @Test
    void interfacesOfRoutesAreRead() {
        assertThat(
                        NetworkNamespace.devices(
                                """
                                [{"dst":"default","gateway":"192.0.2.1","dev":"eth0","flags":[]},
                                 {"dst":"default","nexthops":[{"dev":"eth1"},{"dev":"eth2"}]},{}]
                                """))
                .containsExactly("eth0", "eth1", "eth2");
        assertThat(NetworkNamespace.devices("")).isEmpty();
    }

    @Test
    void missingCommandIsReportedWithItsPackage() {
        assertThatThrownBy(() -> new HostCommands().run("no-such-program", "-x"))
                .hasMessage(
                        "command no-such-program not found; install it (Debian: apt-get install"
                                + " no-such-program)");
        assertThatThrownBy(() -> new HostCommands().run("sh", "-c", "echo oh no >&2; exit 3"))
                .hasMessage("sh -c echo oh no >&2; exit 3 failed (exit code 3): oh no");
    }

    @Test
    void namesAreDerived() {
        assertThat(DerivedNames.label("dri/renderD128")).isEqualTo("dri-renderd128");
        assertThat(DerivedNames.variable("disk", "my-data.0")).isEqualTo("BERTH_DISK_MY_DATA_0");
        var devices =
                List.of(
                        Claims.device("a/first", "d", "x", Map.of(), ""),
                        Claims.device("a/first", "d", "y", Map.of(), ""),
                        Claims.device("b", "d", "z", Map.of(), ""));
        assertThat(DerivedNames.byRequest(devices).values()).containsExactly("a", "a_1", "b");
    }
}
