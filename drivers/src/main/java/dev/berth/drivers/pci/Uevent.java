package dev.berth.drivers.pci;

import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The `uevent` file of a device: lines `NAME=value`.
record Uevent(Map<String, String> values) {

    Uevent {
        values = Map.copyOf(values);
    }

    /// @param directory directory of the device below `/sys`
    static Uevent read(Sysfs sysfs, String directory) {
        var values = new HashMap<String, String>();
        for (var line : sysfs.text(Path.of(directory, "uevent")).orElse("").lines().toList()) {
            var equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new Uevent(values);
    }

    /// The device file below `/dev`.
    Optional<String> file() {
        return Optional.ofNullable(values.get("DEVNAME"));
    }

    /// Device number such as `8:1`.
    Optional<String> number() {
        var major = values.get("MAJOR");
        var minor = values.get("MINOR");
        return major == null || minor == null ? Optional.empty() : Optional.of(major + ":" + minor);
    }

    boolean isPartition() {
        return "partition".equals(values.get("DEVTYPE"));
    }
}
