package dev.berth.node.oci;

import dev.berth.model.file.PrivateDirectory;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A directory with an exclusive lock, so that one runtime at a time uses it. The kernel releases
/// the lock when the process is killed.
final class LockedDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockedDirectory.class);

    private final FileChannel channel;

    private LockedDirectory(FileChannel channel) {
        this.channel = channel;
    }

    static LockedDirectory lock(Path directory) throws RuntimeFailure {
        try {
            PrivateDirectory.make(directory);
            var channel =
                    FileChannel.open(
                            directory.resolve("lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            if (isFree(channel)) {
                return new LockedDirectory(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw new RuntimeFailure(
                    "%s cannot be used: %s; configure another directory for the node"
                            .formatted(directory, e.getMessage()),
                    e);
        }
        throw new RuntimeFailure(
                "another runtime uses %s; stop it, or configure another directory"
                        .formatted(directory));
    }

    private static boolean isFree(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("cannot release a lock: {}", e.getMessage());
        }
    }
}
