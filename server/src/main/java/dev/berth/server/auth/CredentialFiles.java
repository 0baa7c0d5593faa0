package dev.berth.server.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Atomically written files that only their owner can read.
final class CredentialFiles {

    private static final String DIRECTORY_MODE = "rwx------";
    private static final String FILE_MODE = "rw-------";

    private CredentialFiles() {}

    static void directory(Path directory) throws IOException {
        if (isPosix(directory)) {
            Files.createDirectories(directory, attribute(DIRECTORY_MODE));
            Files.setPosixFilePermissions(
                    directory, PosixFilePermissions.fromString(DIRECTORY_MODE));
        } else {
            Files.createDirectories(directory);
        }
    }

    /// Replaces the content of a file; after a crash it has the old or the new content.
    static void write(Path file, String text) throws IOException {
        var parent = file.toAbsolutePath().getParent();
        var temporary =
                isPosix(file)
                        ? Files.createTempFile(parent, ".new-", "", attribute(FILE_MODE))
                        : Files.createTempFile(parent, ".new-", "");
        try {
            try (var channel = FileChannel.open(temporary, Set.of(StandardOpenOption.WRITE))) {
                var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(
                    temporary,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Reads a file, after restricting its permissions to the owner.
    static String read(Path file) throws IOException {
        if (isPosix(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE_MODE));
        }
        return Files.readString(file);
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?> attribute(String mode) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    }
}
