package dev.berth.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The right to write to a store, which one process has at a time. It ends with the process,
/// however that ends.
///
/// The lock is on a file beside the store, which is never removed: SQLite has locks of its own on
/// the store and would lose them if we opened and closed it.
final class FileOwner implements AutoCloseable {

    private final FileChannel channel;

    private FileOwner(FileChannel channel) {
        this.channel = channel;
    }

    static FileOwner of(Path store) throws IOException {
        var file = store.resolveSibling(store.getFileName() + ".lock");
        if (!Files.exists(file)) {
            try {
                StoreFiles.create(file);
            } catch (FileAlreadyExistsException e) {
                // Somebody was faster; the lock tells who may go on.
            }
        }
        var channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new FileOwner(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Another store in this process; the same to the user.
        }
        channel.close();
        throw new StoreException(
                store
                        + " is in use by another Berth. Stop that one first, or use another data"
                        + " directory");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
