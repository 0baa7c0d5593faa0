package dev.berth.node.oci;

import dev.berth.node.image.RootTree;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Mounts, and directories that may have some below them.
final class Mounting {

    private static final Logger LOG = LoggerFactory.getLogger(Mounting.class);

    private final Programs programs;

    Mounting(Programs programs) {
        this.programs = programs;
    }

    void mount(String type, String source, Path point, String options) throws RuntimeFailure {
        programs.must(
                "%s cannot be mounted".formatted(point),
                programs.line(
                        "mount", List.of("-t", type, "-o", options, source, point.toString())),
                "");
    }

    /// Undoes all mounts in a directory, then deletes it. Nothing is deleted while something is
    /// mounted there: it would be deleted too.
    void removeTree(Path directory) throws RuntimeFailure {
        try {
            for (var point : MountTable.read().below(directory)) {
                unmount(point);
            }
            var left = MountTable.read().below(directory);
            if (!left.isEmpty()) {
                throw new RuntimeFailure(
                        "%s cannot be removed while %s is mounted".formatted(directory, left));
            }
            RootTree.delete(directory);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be removed: %s".formatted(directory, e.getMessage()), e);
        }
    }

    private void unmount(Path point) throws RuntimeFailure {
        if (programs.run("umount", point.toString()).exitCode() != 0) {
            // Somebody looks into it; it goes when they leave.
            var result = programs.run("umount", "--lazy", point.toString());
            if (result.exitCode() != 0) {
                LOG.warn("{} cannot be unmounted: {}", point, Programs.said(result));
            }
        }
    }

    static void makeDirectory(Path directory) throws RuntimeFailure {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be made: %s".formatted(directory, e.getMessage()), e);
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
