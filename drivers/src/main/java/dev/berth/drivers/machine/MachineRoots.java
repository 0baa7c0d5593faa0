package dev.berth.drivers.machine;

import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;

/// File system roots and commands of the machine, or of a captured copy of one in tests.
///
/// @param sysfs root of `/sys`
/// @param dev root of `/dev`
/// @param proc root of `/proc`
/// @param tools commands of the machine
public record MachineRoots(Sysfs sysfs, Path dev, Path proc, HostCommands tools) {

    /// This machine.
    public static MachineRoots here() {
        return new MachineRoots(
                new Sysfs(Sysfs.SYSTEM), Path.of("/dev"), Path.of("/proc"), new HostCommands());
    }

    public MachineRoots withSysfs(Path newSysfs) {
        return new MachineRoots(new Sysfs(newSysfs), dev, proc, tools);
    }

    public MachineRoots withDev(Path newDev) {
        return new MachineRoots(sysfs, newDev, proc, tools);
    }

    public MachineRoots withTools(HostCommands newTools) {
        return new MachineRoots(sysfs, dev, proc, newTools);
    }
}
