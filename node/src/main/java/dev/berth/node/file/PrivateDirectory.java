package dev.berth.node.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A directory that only the user of this process can enter.
///
/// The modes of what is in it do not matter for other users of the machine then. Containers reach
/// their volumes by mounts, past the directories above.
public final class PrivateDirectory {

    private static final String OWNER_ONLY = "rwx------";

    private PrivateDirectory() {}

    /// Makes a directory, and those above it that are missing; one that is there is closed.
    public static Path make(Path directory) throws IOException {
        var permissions = PosixFilePermissions.fromString(OWNER_ONLY);
        Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(permissions));
        if (!Files.getPosixFilePermissions(directory).equals(permissions)) {
            Files.setPosixFilePermissions(directory, permissions);
        }
        return directory;
    }
}
