package dev.berth.app.lifecycle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deletes the data directory of a cluster. Symbolic links are deleted and never followed, and
/// nothing is deleted while there are mounts below the directory, since the files behind them
/// belong to others.
final class DataDeletion {

    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    /// Entries of which every data directory has at least one.
    private static final List<String> SIGNS = List.of("pki", "kubeconfig", "cluster.json");

    private DataDeletion() {}

    /// Deletes a directory; false when it does not exist.
    static boolean delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return false;
        }
        if (SIGNS.stream().noneMatch(sign -> Files.exists(directory.resolve(sign)))) {
            throw new IllegalStateException(
                    "%s is not the data directory of a cluster; nothing was deleted"
                            .formatted(directory));
        }
        var real = directory.toRealPath();
        var mounts =
                mountsBelow(real, Files.exists(MOUNTS) ? Files.readAllLines(MOUNTS) : List.of());
        if (!mounts.isEmpty()) {
            throw new IllegalStateException(
                    ("%s has mounts of containers that still run, such as %s; delete the pods of"
                                    + " the real node first. Nothing was deleted")
                            .formatted(directory, mounts.getFirst()));
        }
        Files.walkFileTree(real, new Deletion());
        return true;
    }

    /// The mount points below a directory.
    ///
    /// @param mounts lines of `mountinfo`
    static List<String> mountsBelow(Path directory, List<String> mounts) {
        var head = directory + "/";
        return mounts.stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields.length > MOUNT_POINT)
                .map(fields -> fields[MOUNT_POINT].replace("\\040", " "))
                .filter(point -> point.startsWith(head))
                .toList();
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
