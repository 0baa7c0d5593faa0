package dev.berth.drivers.testing;

import dev.berth.drivers.machine.Machine;
import dev.berth.drivers.machine.Tools;
import java.nio.file.Path;

/// A machine with two NUMA nodes, three PCIe roots, SR-IOV and VFIO, of which only the tree under
/// `/sys` was kept.
public final class Fixture {

    private Fixture() {}

    public static Machine unpacked(Path directory) throws Exception {
        var archive = Path.of("../node/src/test/resources/sysfs-fixture-2numa-sriov.tar.gz");
        new Tools()
                .run(
                        "tar",
                        "xzf",
                        archive.toAbsolutePath().normalize().toString(),
                        "-C",
                        directory.toString());
        return Machine.here().withSysfs(directory.resolve("sys"));
    }
}
