package dev.berth.drivers.pci;

import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The device files that belong to a PCI function.
final class PciDeviceFiles {

    private static final int MAX_DEPTH = 6;

    /// A path of an NVMe multipath device; the device itself has no `c` in its name.
    private static final Pattern NVME_PATH = Pattern.compile("(nvme[0-9]+)c[0-9]+(n[0-9]+)");

    private final Sysfs sysfs;

    PciDeviceFiles(Sysfs sysfs) {
        this.sysfs = sysfs;
    }

    /// The device files below `/dev`, sorted; without partitions.
    List<String> of(PciAddress address) {
        var files = new TreeSet<String>();
        collect(Path.of("bus/pci/devices", address.text()), MAX_DEPTH, files);
        return List.copyOf(files);
    }

    private void collect(Path directory, int depth, Set<String> files) {
        for (var name : sysfs.names(directory)) {
            var child = directory.resolve(name);
            // Skip links, which lead to other devices, and functions behind a bridge.
            var isOwn =
                    Files.isDirectory(sysfs.root().resolve(child), LinkOption.NOFOLLOW_LINKS)
                            && PciAddress.tryParse(name).isEmpty();
            if (!isOwn) {
                continue;
            }
            var event = Uevent.read(sysfs, child.toString());
            if (!event.isPartition()) {
                event.file().ifPresent(files::add);
            }
            var path = NVME_PATH.matcher(name);
            if (path.matches()) {
                files.add(path.group(1) + path.group(2));
            }
            if (depth > 0) {
                collect(child, depth - 1, files);
            }
        }
    }
}
