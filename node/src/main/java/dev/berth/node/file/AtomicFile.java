package dev.berth.node.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/// A file that readers see as it was or as it is to be, and never in between; also after a crash of
/// the program or the machine.
///
/// The text goes to a file beside it, is forced to the disk, and then takes the name. The name of
/// the file beside it begins with a dot and ends in `.tmp`, which everybody who reads such
/// directories passes over.
public final class AtomicFile {

    private AtomicFile() {}

    /// Writes the file, replacing what was there.
    ///
    /// @param permissions such as `rw-r--r--`
    /// @throws IOException with the file as it was
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
                // Whatever the process masks, the reader may be somebody else.
                Files.setPosixFilePermissions(
                        temporary, PosixFilePermissions.fromString(permissions));
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        force(directory);
    }

    /// Deletes the file for good; nothing happens when there is none.
    public static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            force(file.toAbsolutePath().resolveSibling(""));
        }
    }

    /// A new name is only safe when its directory is on the disk.
    private static void force(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
