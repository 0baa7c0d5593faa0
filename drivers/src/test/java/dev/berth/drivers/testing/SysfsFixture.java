package dev.berth.drivers.testing;

import dev.berth.drivers.machine.HostCommands;
import dev.berth.drivers.machine.MachineRoots;
import java.nio.file.Path;

/// Captured sysfs tree of a machine with two NUMA nodes, three PCIe roots, SR-IOV and VFIO.
public final class SysfsFixture {

    private SysfsFixture() {}

    public static MachineRoots unpacked(Path directory) throws Exception {
        var archive = Path.of("../node/src/test/resources/sysfs-fixture-2numa-sriov.tar.gz");
        new HostCommands()
                .run(
                        "tar",
                        "xzf",
                        archive.toAbsolutePath().normalize().toString(),
                        "-C",
                        directory.toString());
        return MachineRoots.here().withSysfs(directory.resolve("sys"));
    }
}
