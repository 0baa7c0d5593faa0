package dev.berth.node.logs;

import dev.berth.model.file.AtomicFile;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.runtime.ContainerState.Phase;
import dev.berth.node.runtime.LogLimits;
import dev.berth.node.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Rotates the logs of running containers: renames a file that has reached its maximum size, makes
/// the runtime reopen its log, and deletes the oldest files. The runtime writes to the renamed file
/// until it has opened the new one, so no line is lost.
///
/// Sizes are checked ten times a second, and a hundred times while a container prints so fast that
/// its file may be full before: a file exceeds its limit by the output of one interval.
public final class LogRotation implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogRotation.class);
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration SHORT_INTERVAL = Duration.ofMillis(10);

    /// Retry interval after a failed rotation.
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final ContainerRuntime runtime;
    private final Supplier<List<ContainerState>> containers;
    private final LogLimits limits;
    private final Thread thread;

    // Used by the thread only; by container ID.
    private final Map<String, Long> sizes = new HashMap<>();
    private final Map<String, Long> retryAtNanos = new HashMap<>();

    /// Starts rotation.
    ///
    /// @param containers supplies the containers of the runtime
    public LogRotation(
            ContainerRuntime runtime, Supplier<List<ContainerState>> containers, LogLimits limits) {
        this.runtime = runtime;
        this.containers = containers;
        this.limits = limits;
        this.thread = Thread.ofVirtual().name("log-rotation").start(this::run);
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(checkAll());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Rotates full logs. Returns when to check again.
    private Duration checkAll() {
        var next = INTERVAL;
        var running = new HashSet<String>();
        for (var container : containers.get()) {
            if (container.phase() instanceof Phase.Running) {
                running.add(container.id());
                if (isFast(container)) {
                    next = SHORT_INTERVAL;
                }
            }
        }
        sizes.keySet().retainAll(running);
        retryAtNanos.keySet().retainAll(running);
        return next;
    }

    /// Checks one container; true if its file may be full before the normal interval ends.
    private boolean isFast(ContainerState container) {
        var id = container.id();
        if (retryAtNanos.containsKey(id) && System.nanoTime() - retryAtNanos.get(id) < 0) {
            return false;
        }
        try {
            var size = Files.size(container.log());
            var grown = size - sizes.getOrDefault(id, 0L);
            var isFull = size >= limits.maxBytes();
            if (isFull) {
                rotate(container);
            }
            sizes.put(id, isFull ? 0 : size);
            retryAtNanos.remove(id);
            return (isFull ? 0 : size) + grown >= limits.maxBytes();
        } catch (NoSuchFileException _) {
            reopen(container);
        } catch (IOException | RuntimeFailure | RuntimeException e) {
            retryLater(container, e);
        }
        return false;
    }

    private void rotate(ContainerState container) throws IOException, RuntimeFailure {
        var files = new LogFiles(container.log());
        var renamed = files.next();
        AtomicFile.rename(container.log(), renamed);
        try {
            runtime.reopenLog(container.id());
        } catch (RuntimeFailure e) {
            undo(container.log(), renamed);
            throw e;
        }
        files.keepNewest(limits.maxFiles() - 1);
    }

    /// The runtime still writes to the renamed file.
    private static void undo(Path log, Path renamed) throws IOException {
        if (!Files.exists(log)) {
            AtomicFile.rename(renamed, log);
        }
    }

    /// Recovers from an agent that was killed between renaming the file and reopening the log.
    private void reopen(ContainerState container) {
        try {
            if (Files.isDirectory(container.log().resolveSibling(""))) {
                runtime.reopenLog(container.id());
            }
        } catch (RuntimeFailure | RuntimeException e) {
            retryLater(container, e);
        }
    }

    private void retryLater(ContainerState container, Exception failure) {
        LOG.debug(
                "log {} cannot be rotated, retrying in {} s: {}",
                container.log(),
                RETRY.toSeconds(),
                failure.getMessage());
        retryAtNanos.put(container.id(), System.nanoTime() + RETRY.toNanos());
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
