package dev.berth.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Creates and syncs files that only their owner may read, since a store contains secrets.
final class StoreFiles {

    private StoreFiles() {}

    /// Creates a directory and its parents durably.
    static void createDirectory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        var parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectory(parent);
        }
        Files.createDirectories(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            syncDirectoryOf(directory);
        } catch (AccessDeniedException _) {
            // A writable directory need not be readable; then it cannot be synced.
        }
    }

    /// Creates an empty file; fails if it exists.
    static void create(Path file) throws IOException {
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /// Renames a finished file durably.
    static void moveIntoPlace(Path finished, Path name) throws IOException {
        sync(finished);
        Files.move(finished, name, StandardCopyOption.ATOMIC_MOVE);
        syncDirectoryOf(name);
    }

    static void sync(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    static void syncDirectoryOf(Path file) throws IOException {
        var directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
