package dev.berth.drivers.machine;

import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;

/// Where a machine tells of itself, or a copy of it does.
///
/// @param sysfs the tree under `/sys`
/// @param dev where device files are
/// @param proc the tree under `/proc`
/// @param tools its programs
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
