package dev.berth.model.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A file that only the user of this process can read and write, such as a key, a kubeconfig or a
/// store with secrets.
public final class PrivateFile {

    private static final String OWNER_ONLY = "rw-------";

    private PrivateFile() {}

    /// Writes or replaces the file as [AtomicFile] does, in UTF-8.
    public static void write(Path file, String text) throws IOException {
        AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8), OWNER_ONLY);
    }

    /// Creates an empty file.
    ///
    /// @throws FileAlreadyExistsException if the file exists
    public static Path create(Path file) throws IOException {
        var permissions = PosixFilePermissions.fromString(OWNER_ONLY);
        return Files.createFile(file, PosixFilePermissions.asFileAttribute(permissions));
    }

    /// Reads a file in UTF-8, after making it private.
    public static String read(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(OWNER_ONLY));
        return Files.readString(file);
    }
}
