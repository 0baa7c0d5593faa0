package dev.berth.server.store.sqlite;

import dev.berth.model.file.PrivateFile;
import dev.berth.server.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Exclusive lock on a store, held by one process at a time and released when the process ends in
/// any way.
///
/// The lock is on a file beside the store, which is never removed. SQLite holds locks of its own on
/// the database and would lose them if this process opened and closed that file.
final class StoreLock implements AutoCloseable {

    private final FileChannel channel;

    private StoreLock(FileChannel channel) {
        this.channel = channel;
    }

    static StoreLock of(Path store) throws IOException {
        var file = store.resolveSibling(store.getFileName() + ".lock");
        if (!Files.exists(file)) {
            try {
                PrivateFile.create(file);
            } catch (FileAlreadyExistsException e) {
                // Another process created it first; the lock decides.
            }
        }
        var channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new StoreLock(channel);
            }
        } catch (OverlappingFileLockException e) {
            // Another store in this process; the error is the same for the user.
        }
        channel.close();
        throw new StoreException(
                store
                        + " is in use by another Berth process. Stop it first, or use another data"
                        + " directory");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
