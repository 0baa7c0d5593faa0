package dev.berth.model.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A directory for temporary files that only this user can read. Closing it deletes it with its
/// content; links are deleted, not followed.
public final class TemporaryDirectory implements AutoCloseable {

    private final Path path;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    /// Creates a directory.
    ///
    /// @param prefix beginning of its name
    public static TemporaryDirectory create(String prefix) {
        try {
            return new TemporaryDirectory(Files.createTempDirectory(prefix));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot create a temporary directory: " + e.getMessage(), e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot delete %s: %s".formatted(path, e.getMessage()), e);
        }
    }
}
