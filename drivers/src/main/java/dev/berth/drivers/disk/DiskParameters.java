package dev.berth.drivers.disk;

import dev.berth.node.driver.ParameterFields;
import dev.berth.node.driver.Parameters;
import java.util.List;
import java.util.Optional;

/// Claim parameters of the disk driver.
///
/// @param mountPath mount path in containers; without it containers get the block device
/// @param devicePath path of the block device in containers
record DiskParameters(
        Filesystem filesystem, Optional<String> mountPath, Optional<String> devicePath) {

    /// File system of a new disk.
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
            fields.refuse("mountPath", "a disk without a filesystem cannot be mounted; use ext4");
        }
        if (mountPath.isPresent() && devicePath.isPresent()) {
            // Writes to the block device of a mounted file system would corrupt it.
            fields.refuse("devicePath", "mountPath and devicePath are mutually exclusive");
        }
        var defaultFilesystem = mountPath.isPresent() ? Filesystem.EXT4 : Filesystem.NONE;
        return new DiskParameters(filesystem.orElse(defaultFilesystem), mountPath, devicePath);
    }

    private static Optional<String> path(ParameterFields fields, String name) {
        var path = fields.text(name);
        if (path.isPresent() && !path.get().matches("(/[A-Za-z0-9._-]+)+")) {
            fields.refuse(name, "\"%s\" is not an absolute path".formatted(path.get()));
        }
        return path;
    }
}
