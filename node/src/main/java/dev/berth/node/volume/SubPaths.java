package dev.berth.node.volume;

import dev.berth.node.safepath.BindMounts;
import dev.berth.node.safepath.SafeDirectory;
import dev.berth.node.safepath.SafePath;
import java.io.IOException;
import java.nio.file.Path;

/// Mounts `subPath`s of volumes where no container can change them.
///
/// A runtime would follow a link that a container put into the volume, and could not detect it. The
/// target of a subPath is therefore opened below the volume and bind-mounted by its file descriptor
/// to a directory of the agent, which is the only path that the runtime gets. The mounts are
/// removed with the pod's directory.
final class SubPaths {

    private static final int OWNER_ONLY_FILE = 0600;
    private static final int OWNER_ONLY_DIRECTORY = 0700;

    private final PodDirectory pod;

    SubPaths(PodDirectory pod) {
        this.pod = pod;
    }

    /// Mounts a subPath for a container; creates missing directories. Returns the mount point.
    ///
    /// @param index of the mount among those of the container
    /// @throws IOException also when the path leads out of the volume
    Path bind(MountedVolume volume, String name, String subPath, String container, int index)
            throws IOException {
        var directory = pod.make(pod.subPaths(name, container));
        var point = directory.resolve(String.valueOf(index));
        try (var root = SafeDirectory.open(volume.path());
                var source = root.makeDirectories(subPath, root.status().permissions());
                var points = SafeDirectory.open(directory)) {
            // The mount of an earlier container of that name.
            BindMounts.remove(point);
            points.delete(String.valueOf(index));
            makePoint(points, String.valueOf(index), source);
            source.bind(point);
        }
        return point;
    }

    private static void makePoint(SafeDirectory points, String name, SafePath source)
            throws IOException {
        if (source.status().isDirectory()) {
            points.makeDirectory(name, OWNER_ONLY_DIRECTORY).close();
        } else {
            points.makeFile(name, new byte[0], OWNER_ONLY_FILE);
        }
    }
}
