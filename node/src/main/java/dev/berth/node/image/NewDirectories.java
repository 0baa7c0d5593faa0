package dev.berth.node.image;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Directories that a first import creates, so that a failed import can delete them.
final class NewDirectories {

    /// The directory itself first, then its parents; empty if it exists already.
    private final List<Path> missing = new ArrayList<>();

    NewDirectories(Path directory) {
        for (var at = directory; at != null && !Files.exists(at); at = at.getParent()) {
            missing.add(at);
        }
    }

    /// Deletes the directory with its content, and those of its parents that are empty.
    void delete() throws IOException {
        for (var directory : missing) {
            try {
                if (directory.equals(missing.getFirst())) {
                    ImageRoot.delete(directory);
                } else {
                    Files.deleteIfExists(directory);
                }
            } catch (DirectoryNotEmptyException _) {
                return;
            }
        }
    }
}
