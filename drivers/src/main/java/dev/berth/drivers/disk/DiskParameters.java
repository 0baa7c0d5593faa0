package dev.berth.drivers.disk;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;

/// What a claim may say about a disk.
///
/// @param mountPath where containers see its files; without it they get the disk itself
/// @param devicePath where they get the disk
record DiskParameters(
        Filesystem filesystem, Optional<String> mountPath, Optional<String> devicePath) {

    /// What is on a new disk.
    enum Filesystem {
        NONE,
        EXT4;

        @Override
        public String toString() {
            return this == NONE ? "none" : "ext4";
        }
    }

    static final Parameters<DiskParameters> PARAMETERS =
            Parameters.of(
                    "disk.berth.dev/v1",
                    "Disk",
                    DiskParameters::read,
                    new DiskParameters(Filesystem.NONE, Optional.empty(), Optional.empty()));

    private static DiskParameters read(ParameterFields fields) {
        var mountPath = path(fields, "mountPath");
        var devicePath = path(fields, "devicePath");
        var filesystem = fields.oneOf("filesystem", List.of(Filesystem.values()));
        if (mountPath.isPresent() && filesystem.equals(Optional.of(Filesystem.NONE))) {
            fields.refuse("mountPath", "a disk without a filesystem cannot be mounted; say ext4");
        }
        if (mountPath.isPresent() && devicePath.isPresent()) {
            // Who writes to a disk beside its filesystem destroys it.
            fields.refuse("devicePath", "a disk is mounted or given as a device, not both");
        }
        var usual = mountPath.isPresent() ? Filesystem.EXT4 : Filesystem.NONE;
        return new DiskParameters(filesystem.orElse(usual), mountPath, devicePath);
    }

    private static Optional<String> path(ParameterFields fields, String name) {
        var path = fields.text(name);
        if (path.isPresent() && !path.get().matches("(/[A-Za-z0-9._-]+)+")) {
            fields.refuse(name, "\"%s\" is not a whole path".formatted(path.get()));
        }
        return path;
    }
}
