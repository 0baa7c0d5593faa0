package dev.berth.drivers.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.drivers.disk.DiskParameters.Filesystem;
import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import dev.berth.drivers.testing.Bundle;
import dev.berth.drivers.testing.Claims;
import dev.berth.drivers.testing.Needs;
import dev.berth.model.quantity.Quantity;
import dev.berth.node.driver.AssignedDevice;
import dev.berth.node.driver.ClaimAssignment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskDriverTest {

    private static final DiskParameters RAW =
            new DiskParameters(Filesystem.NONE, Optional.empty(), Optional.empty());
    private static final DiskParameters FILES =
            new DiskParameters(Filesystem.EXT4, Optional.of("/data"), Optional.empty());

    @TempDir private Path directory = Path.of("");
    private DiskDriver driver;

    @BeforeEach
    void start() {
        driver = driver(MachineRoots.here());
    }

    private DiskDriver driver(MachineRoots machine) {
        return new DiskDriver(machine, DiskConfig.DEFAULTS, directory.resolve("data"));
    }

    /// Cleans up, also after a failed test.
    @AfterEach
    void clean() throws Exception {
        for (var claim : List.of("a", "b")) {
            driver.unprepare(Claims.prepared(claim));
        }
    }

    private static void needs() throws IOException {
        Needs.root();
        Needs.tools("losetup", "mkfs.ext4", "fallocate", "mount", "umount");
        Needs.file("/dev/loop-control");
    }

    private static ClaimAssignment<DiskParameters> claim(
            String name, DiskParameters parameters, String... sizes) {
        var devices = new ArrayList<AssignedDevice<DiskParameters>>();
        for (var size : sizes) {
            devices.add(
                    Claims.device(
                            "r" + devices.size(),
                            DiskDriver.NAME,
                            "local",
                            Map.of("size", Quantity.parse(size)),
                            parameters));
        }
        return new ClaimAssignment<>(Claims.ref(name), devices);
    }

    @Test
    void aContainerGetsABlockDevice() throws Exception {
        needs();
        Needs.containers();
        var prepared = driver.prepare(claim("a", RAW, "64Mi"));
        assertThat(driver.prepare(claim("a", RAW, "64Mi"))).isEqualTo(prepared);
        assertThat(loops()).hasSize(1);
        try (var bundle = new Bundle(directory, "berth-disk-raw")) {
            var ended =
                    bundle.with(prepared)
                            .run(
                                    "blockdev --getsize64 $BERTH_DISK_R0;"
                                            + " echo hello >/dev/berth/r0;"
                                            + " head -c 5 /dev/berth/r0");
            assertThat(ended.output()).isEqualTo((64L << 20) + "\nhello");
        }
        driver.unprepare(Claims.prepared("a"));
        assertNothingIsLeft();
    }

    @Test
    void aContainerGetsAMountedFileSystem() throws Exception {
        needs();
        Needs.containers();
        var prepared = driver.prepare(claim("a", FILES, "64Mi"));
        try (var bundle = new Bundle(directory, "berth-disk-files")) {
            var ended =
                    bundle.with(prepared)
                            .run("echo hello >/data/word && cat /data/word && stat -c %a /data");
            assertThat(ended.output()).isEqualTo("hello\n777");
        }
        driver.unprepare(Claims.prepared("a"));
        assertNothingIsLeft();
    }

    @Test
    void disksOfOneClaimAndOfOthersAreSeparate() throws Exception {
        needs();
        driver.prepare(claim("a", FILES, "16Mi", "32Mi"));
        driver.prepare(claim("b", RAW, "16Mi"));
        assertThat(loops()).hasSize(3);
        driver.unprepare(Claims.prepared("a"));
        assertThat(loops()).hasSize(1);
        driver.unprepare(Claims.prepared("b"));
        assertNothingIsLeft();
    }

    @Test
    void prepareInterruptedAtAnyStepIsCompletedOrUndone() throws Exception {
        needs();
        var steps = new AtomicInteger();
        driver(dyingAfter(Integer.MAX_VALUE, steps)).prepare(claim("a", FILES, "16Mi"));
        driver.unprepare(Claims.prepared("a"));
        assertThat(steps.get()).isGreaterThan(4);
        for (var i = 0; i < steps.get(); i++) {
            var dying = driver(dyingAfter(i, new AtomicInteger()));
            assertThatThrownBy(() -> dying.prepare(claim("a", FILES, "16Mi")))
                    .isInstanceOf(SimulatedCrash.class);
            if (i % 2 == 0) {
                driver.prepare(claim("a", FILES, "16Mi"));
                assertThat(loops()).hasSize(1);
            }
            driver.unprepare(Claims.prepared("a"));
            assertNothingIsLeft();
        }
    }

    @Test
    void unprepareInterruptedAtAnyStepIsCompleted() throws Exception {
        needs();
        var steps = new AtomicInteger();
        driver.prepare(claim("a", FILES, "16Mi"));
        driver(dyingAfter(Integer.MAX_VALUE, steps)).unprepare(Claims.prepared("a"));
        for (var i = 0; i < steps.get(); i++) {
            driver.prepare(claim("a", FILES, "16Mi"));
            var dying = driver(dyingAfter(i, new AtomicInteger()));
            assertThatThrownBy(() -> dying.unprepare(Claims.prepared("a")))
                    .isInstanceOf(SimulatedCrash.class);
            driver.unprepare(Claims.prepared("a"));
            assertNothingIsLeft();
        }
    }

    /// Simulates a crash of the driver.
    private static final class SimulatedCrash extends Error {
        private static final long serialVersionUID = 1;
    }

    private static MachineRoots dyingAfter(int commands, AtomicInteger count) {
        return MachineRoots.here()
                .withTools(
                        new HostCommands(_ -> {
                            if (count.getAndIncrement() >= commands) {
                                throw new SimulatedCrash();
                            }
                        }));
    }

    @Test
    void lackOfSpaceIsReported() throws Exception {
        needs();
        var small = Files.createDirectories(directory.resolve("small"));
        var tools = new HostCommands();
        tools.run("mount", "-t", "tmpfs", "-o", "size=32m", "none", small.toString());
        try {
            var storage = new DiskDirectory("local", small, 100, Optional.empty());
            var full =
                    new DiskDriver(
                            MachineRoots.here(),
                            new DiskConfig(List.of(storage)),
                            directory.resolve("data"));
            assertThat(full.discover()).hasSize(1);
            assertThatThrownBy(() -> full.prepare(claim("a", RAW, "64Mi")))
                    .hasMessageContaining("cannot reserve a disk of 64 MiB")
                    .hasMessageContaining("No space left");
            full.unprepare(Claims.prepared("a"));
            try (var left = Files.list(small)) {
                assertThat(left).isEmpty();
            }
        } finally {
            tools.run("umount", small.toString());
        }
    }

    @Test
    void capacityIsAPercentageOfTheFreeSpace() {
        var gibi = 1L << 30;
        var half = new DiskDirectory("s", directory, 50, Optional.empty());
        assertThat(DiskDirectories.capacity(half, 100 * gibi, 0)).isEqualTo(50 * gibi);
        assertThat(DiskDirectories.capacity(half, 90 * gibi, 10 * gibi)).isEqualTo(50 * gibi);
        // Small changes do not change the published capacity.
        assertThat(DiskDirectories.capacity(half, 101 * gibi, 0)).isEqualTo(50 * gibi);
        assertThat(DiskDirectories.capacity(half, 8 << 20, 0)).isZero();
        var fixed = new DiskDirectory("s", directory, 50, Optional.of(Quantity.parse("100Mi")));
        assertThat(DiskDirectories.capacity(fixed, 0, 0)).isEqualTo(96 << 20);
    }

    private List<String> loops() throws Exception {
        return new HostCommands()
                .run("losetup", "-l", "--noheadings", "-O", "BACK-FILE")
                .lines()
                .filter(line -> line.contains(directory.toString()))
                .toList();
    }

    private void assertNothingIsLeft() throws Exception {
        assertThat(loops()).isEmpty();
        assertThat(Files.readString(Path.of("/proc/self/mountinfo")))
                .doesNotContain(directory.toString());
        for (var place : List.of("disks", "mounts", "notes")) {
            assertThat(DiskProvisioner.files(directory.resolve("data").resolve(place))).isEmpty();
        }
    }
}
