package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The roots of containers: an image's files below what the container writes, or a copy of them
/// where the kernel cannot lay one over the other.
final class RootFilesystems {

    private final Programs programs;
    private final MountOperations mounting;
    private final boolean overlays;

    private RootFilesystems(Programs programs, MountOperations mounting, boolean overlays) {
        this.programs = programs;
        this.mounting = mounting;
        this.overlays = overlays;
    }

    /// Tries out what the kernel can, in a directory that is like those of containers.
    static RootFilesystems tried(Programs programs, MountOperations mounting, Path directory)
            throws RuntimeFailure {
        var lower = directory.resolve("lower");
        MountOperations.makeDirectory(lower);
        var overlaying = new RootFilesystems(programs, mounting, true);
        try {
            overlaying.make(lower, directory);
            return overlaying;
        } catch (RuntimeFailure _) {
            return new RootFilesystems(programs, mounting, false);
        } finally {
            mounting.removeTree(directory);
        }
    }

    boolean isOverlaid() {
        return overlays;
    }

    /// Makes a root of an image's files.
    ///
    /// @param directory the container's own
    Path make(Path image, Path directory) throws RuntimeFailure {
        var root = directory.resolve("rootfs");
        MountOperations.makeDirectory(root);
        if (overlays) {
            var upper = directory.resolve("upper");
            var work = directory.resolve("work");
            MountOperations.makeDirectory(upper);
            MountOperations.makeDirectory(work);
            openToAll(upper);
            mounting.mount(
                    "overlay",
                    "overlay",
                    root,
                    "lowerdir=%s,upperdir=%s,workdir=%s".formatted(image, upper, work));
        } else {
            programs.must(
                    "%s cannot be copied".formatted(image),
                    programs.line("cp", List.of("--archive", image + "/.", root.toString())),
                    "");
        }
        return root;
    }

    /// The upper directory is what `/` looks like, to all users of the container.
    private static void openToAll(Path directory) throws RuntimeFailure {
        try {
            Files.setAttribute(directory, "unix:mode", 0755);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be opened: %s".formatted(directory, e.getMessage()), e);
        }
    }
}
