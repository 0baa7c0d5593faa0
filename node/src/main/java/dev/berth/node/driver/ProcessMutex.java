package dev.berth.node.driver;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/// A mutex among the threads of this process and among processes, by a lock file. During a rolling
/// update two instances of a driver serve, and must not prepare the same claim at once.
final class ProcessMutex {

    private static final long RETRY_MILLIS = 20;

    private final Path file;
    // Guards the file lock, which belongs to the process as a whole.
    private final ReentrantLock lock = new ReentrantLock();

    ProcessMutex(Path file) {
        this.file = file;
    }

    /// Work to run under the lock.
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

    /// Locks the file. A second instance in the same process, as in tests, gets an exception
    /// instead of blocking, so it polls.
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
