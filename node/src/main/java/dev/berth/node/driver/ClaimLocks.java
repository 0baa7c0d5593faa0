package dev.berth.node.driver;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/// One at a time, among the threads of this process and among processes: during an update two
/// instances of a driver serve, and must not prepare the same claim at once.
final class ClaimLocks {

    private static final long RETRY_MILLIS = 20;

    private final Path file;
    // Guards the file lock, which belongs to the process as a whole.
    private final ReentrantLock lock = new ReentrantLock();

    ClaimLocks(Path file) {
        this.file = file;
    }

    /// Something to be done.
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    <T> T run(Work<T> work) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
            try (var channel =
                            FileChannel.open(
                                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var _ = lock(channel)) {
                return work.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Another instance in the same process, as in tests, has to be waited for by hand.
    private static FileLock lock(FileChannel channel) throws IOException, InterruptedException {
        while (true) {
            try {
                return channel.lock();
            } catch (OverlappingFileLockException _) {
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }
}
