package dev.berth.node.file;

import java.io.IOException;
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
}
