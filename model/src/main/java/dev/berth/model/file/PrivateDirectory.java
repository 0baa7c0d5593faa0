package dev.berth.model.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A directory that only the user of this process can enter.
///
/// Other users of the machine are kept out whatever the modes of its content. Containers reach
/// their volumes by mounts, which bypass the parent directories.
public final class PrivateDirectory {

    private static final String OWNER_ONLY = "rwx------";

    private PrivateDirectory() {}

    /// Creates a directory and its missing parents; makes an existing one private.
    public static Path make(Path directory) throws IOException {
        var permissions = PosixFilePermissions.fromString(OWNER_ONLY);
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(permissions));
        if (!Files.getPosixFilePermissions(directory).equals(permissions)) {
            Files.setPosixFilePermissions(directory, permissions);
        }
        return directory;
    }

    /// Creates a directory and its missing parents durably; does not change an existing one.
    public static void createDurably(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        var parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDurably(parent);
        }
        var permissions = PosixFilePermissions.fromString(OWNER_ONLY);
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(permissions));
        try {
            FileSync.directoryOf(directory);
        } catch (AccessDeniedException _) {
            // A writable directory need not be readable; then it cannot be synced.
        }
    }
}
