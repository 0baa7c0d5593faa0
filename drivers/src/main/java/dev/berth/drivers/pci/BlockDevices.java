package dev.berth.drivers.pci;

import dev.berth.drivers.machine.MountInfo.Mount;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Block devices of the machine and the PCI functions that they depend on.
final class BlockDevices {

    private static final String BLOCK = "class/block";

    /// An NVMe namespace or partition, possibly with several controllers (multipath).
    private static final Pattern NVME = Pattern.compile("(nvme[0-9]+)(n[0-9]+)(p[0-9]+)?");

    private final Sysfs sysfs;
    private final SysfsLinks links;
    private final List<String> names;
    private final Map<String, String> nameByNumber = new HashMap<>();

    BlockDevices(Sysfs sysfs) {
        this.sysfs = sysfs;
        this.links = new SysfsLinks(sysfs);
        this.names = sysfs.names(Path.of(BLOCK));
        for (var name : names) {
            var event = Uevent.read(sysfs, BLOCK + "/" + name);
            event.number().ifPresent(number -> nameByNumber.put(number, name));
        }
    }

    /// The functions that mounted file systems and swap depend on.
    ///
    /// @param swaps swap devices such as `/dev/sda2`
    Set<PciAddress> needed(List<Mount> mounts, List<String> swaps) {
        var found = new TreeSet<PciAddress>();
        var seen = new HashSet<String>();
        for (var mount : mounts) {
            Optional.ofNullable(nameByNumber.get(mount.device()))
                    .ifPresent(name -> collect(name, found, seen));
            collect(lastName(mount.source()), found, seen);
        }
        swaps.forEach(swap -> collect(lastName(swap), found, seen));
        return found;
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /// Block devices may be stacked, as in encryption and RAID.
    private void collect(String name, Set<PciAddress> found, Set<String> seen) {
        if (!names.contains(name) || !seen.add(name)) {
            return;
        }
        links.pciFunction(BLOCK + "/" + name).ifPresent(found::add);
        sysfs.names(Path.of(BLOCK, name, "slaves")).forEach(below -> collect(below, found, seen));
        var nvme = NVME.matcher(name);
        if (nvme.matches()) {
            var paths = Pattern.compile(nvme.group(1) + "c[0-9]+" + nvme.group(2));
            names.stream()
                    .filter(one -> paths.matcher(one).matches())
                    .forEach(path -> collect(path, found, seen));
        }
    }
}
