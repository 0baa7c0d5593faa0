package dev.berth.drivers.pci;

import dev.berth.node.sysfs.Sysfs;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What the kernel told when a device came: lines `NAME=value`.
record Uevent(Map<String, String> values) {

    Uevent {
        values = Map.copyOf(values);
    }

    /// @param directory of the device under `/sys`
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

    /// The device's file below `/dev`.
    Optional<String> file() {
        return Optional.ofNullable(values.get("DEVNAME"));
    }

    /// Such as `8:1`.
    Optional<String> number() {
        var major = values.get("MAJOR");
        var minor = values.get("MINOR");
        return major == null || minor == null ? Optional.empty() : Optional.of(major + ":" + minor);
    }

    boolean isPartition() {
        return "partition".equals(values.get("DEVTYPE"));
    }
}
