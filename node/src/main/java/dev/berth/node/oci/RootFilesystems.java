package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Root file systems of containers: an overlay of the image's files, or a copy of them where the
/// kernel does not support overlays.
final class RootFilesystems {

    private final Programs programs;
    private final MountOperations mounts;
    private final boolean overlays;

    private RootFilesystems(Programs programs, MountOperations mounts, boolean overlays) {
        this.programs = programs;
        this.mounts = mounts;
        this.overlays = overlays;
    }

    /// Probes whether the kernel supports overlays, in a directory like those of containers.
    static RootFilesystems probe(Programs programs, MountOperations mounts, Path directory)
            throws RuntimeFailure {
        var lower = directory.resolve("lower");
        MountOperations.makeDirectory(lower);
        var overlaying = new RootFilesystems(programs, mounts, true);
        try {
            overlaying.make(lower, directory);
            return overlaying;
        } catch (RuntimeFailure _) {
            return new RootFilesystems(programs, mounts, false);
        } finally {
            mounts.removeTree(directory);
        }
    }

    /// Creates a root file system from an image's files.
    ///
    /// @param directory of the container
    Path make(Path image, Path directory) throws RuntimeFailure {
        var root = directory.resolve("rootfs");
        MountOperations.makeDirectory(root);
        if (overlays) {
            var upper = directory.resolve("upper");
            var work = directory.resolve("work");
            MountOperations.makeDirectory(upper);
            MountOperations.makeDirectory(work);
            openToAll(upper);
            mounts.mount(
                    "overlay",
                    "overlay",
                    root,
                    "lowerdir=%s,upperdir=%s,workdir=%s".formatted(image, upper, work));
        } else {
            programs.require(
                    "%s cannot be copied".formatted(image),
                    programs.line("cp", List.of("--archive", image + "/.", root.toString())),
                    "");
        }
        return root;
    }

    /// The upper directory has the permissions of `/` inside the container.
    private static void openToAll(Path directory) throws RuntimeFailure {
        try {
            Files.setAttribute(directory, "unix:mode", 0755);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "the permissions of %s cannot be changed: %s"
                            .formatted(directory, e.getMessage()),
                    e);
        }
    }
}
