package dev.berth.model.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// Atomic and durable file writes: readers see the old or the new content, also after a crash of
/// the program or the machine.
///
/// The content is written to a temporary file in the same directory, synced to disk, and renamed.
/// The temporary name begins with a dot and ends in `.tmp`, which readers of such directories
/// ignore.
public final class AtomicFile {

    private AtomicFile() {}

    /// Writes or replaces the file.
    ///
    /// @param permissions such as `rw-r--r--`
    /// @throws IOException with the old content unchanged
    public static void write(Path file, byte[] content, String permissions) throws IOException {
        var target = file.toAbsolutePath();
        var directory = target.resolveSibling("");
        var temporary = Files.createTempFile(directory, "." + target.getFileName(), ".tmp");
        try {
            try (var channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                var buffer = ByteBuffer.wrap(content);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                // Set explicitly, independent of the umask: the reader may be another user.
                Files.setPosixFilePermissions(
                        temporary, PosixFilePermissions.fromString(permissions));
                channel.force(true);
            }
            rename(temporary, target);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try {
            FileSync.directoryOf(target);
        } catch (AccessDeniedException _) {
            // A writable directory need not be readable; then it cannot be synced.
        }
    }

    /// Syncs a finished file and gives it its final name durably; replaces a file of that name.
    public static void install(Path finished, Path file) throws IOException {
        FileSync.file(finished);
        rename(finished, file);
        FileSync.directoryOf(file);
    }

    /// Renames a file or directory without a sync; replaces a file of that name.
    public static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Deletes the file durably, if it exists.
    public static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            FileSync.directoryOf(file);
        }
    }
}
