package dev.berth.drivers.machine;

import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;

/// Where a machine tells of itself, or a copy of it does.
///
/// @param sysfs the tree under `/sys`
/// @param dev where device files are
/// @param proc the tree under `/proc`
/// @param tools its programs
public record Machine(Sysfs sysfs, Path dev, Path proc, Tools tools) {

    /// This machine.
    public static Machine here() {
        return new Machine(new Sysfs(Sysfs.SYSTEM), Path.of("/dev"), Path.of("/proc"), new Tools());
    }

    public Machine withSysfs(Path newSysfs) {
        return new Machine(new Sysfs(newSysfs), dev, proc, tools);
    }

    public Machine withDev(Path newDev) {
        return new Machine(sysfs, newDev, proc, tools);
    }

    public Machine withTools(Tools newTools) {
        return new Machine(sysfs, dev, proc, newTools);
    }
}
