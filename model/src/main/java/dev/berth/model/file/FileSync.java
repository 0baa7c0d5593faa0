package dev.berth.model.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Sync of files and directories to disk.
public final class FileSync {

    private FileSync() {}

    /// Syncs the content of a file.
    public static void file(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /// Syncs the directory of a file, which makes a new, changed or deleted name durable.
    public static void directoryOf(Path file) throws IOException {
        var directory = file.toAbsolutePath().resolveSibling("");
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
