package dev.berth.node.safepath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Mounts and unmounts on directories of the agent.
public final class BindMounts {

    private BindMounts() {}

    /// Mounts a tmpfs.
    ///
    /// @param options such as `mode=0755,size=65536`
    public static void memory(Path point, String options) throws IOException {
        try {
            LinuxCalls.mount("tmpfs", point.toString(), "tmpfs", 0, options);
        } catch (LinuxException e) {
            throw new IOException(
                    "%s cannot be mounted: %s; the agent has to run as root"
                            .formatted(point, e.getMessage()),
                    e);
        }
    }

    /// True if a directory is a mount point.
    public static boolean isMountPoint(Path directory) throws IOException {
        return MountTable.read().has(directory.toRealPath());
    }

    /// Unmounts everything at and below a directory, lazily: a mount in use disappears at once, and
    /// is released when its users have closed it.
    ///
    /// @throws IOException when something stays mounted
    public static void removeBelow(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        // The kernel lists real paths, without symbolic links of the agent's own path.
        var real = directory.toRealPath();
        for (var point : MountTable.read().below(real)) {
            remove(point);
        }
        var left = MountTable.read().below(real);
        if (!left.isEmpty()) {
            throw new IOException("%s cannot be unmounted".formatted(left));
        }
    }

    /// Unmounts all mounts on a file or directory, if there are any.
    ///
    /// @param point a path that no container can change
    public static void remove(Path point) throws IOException {
        try {
            while (true) {
                LinuxCalls.unmount(
                        point.toString(), LinuxCalls.UMOUNT_NOFOLLOW | LinuxCalls.MNT_DETACH);
            }
        } catch (LinuxException e) {
            if (!e.is(LinuxException.EINVAL, LinuxException.ENOENT)) {
                throw e;
            }
        }
    }
}
