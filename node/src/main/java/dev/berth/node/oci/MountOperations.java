package dev.berth.node.oci;

import dev.berth.node.runtime.RuntimeFailure;
import dev.berth.node.safepath.BindMounts;
import dev.berth.node.safepath.SafeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Mounts file systems, and removes directories with mounts below them.
final class MountOperations {

    private final Programs programs;

    MountOperations(Programs programs) {
        this.programs = programs;
    }

    void mount(String type, String source, Path point, String options) throws RuntimeFailure {
        programs.require(
                "%s cannot be mounted".formatted(point),
                programs.line(
                        "mount", List.of("-t", type, "-o", options, source, point.toString())),
                "");
    }

    /// Unmounts everything below a directory, then deletes it. Nothing is deleted while something
    /// is mounted there, because the mounted files would be deleted, too.
    void removeTree(Path directory) throws RuntimeFailure {
        try {
            BindMounts.removeBelow(directory);
            SafeDirectory.deleteTree(directory);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be removed: %s".formatted(directory, e.getMessage()), e);
        }
    }

    static void makeDirectory(Path directory) throws RuntimeFailure {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be created: %s".formatted(directory, e.getMessage()), e);
        }
    }

    static void write(Path file, String text) throws RuntimeFailure {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new RuntimeFailure("%s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }
}
