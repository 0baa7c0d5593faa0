package dev.berth.server.lifecycle;

import dev.berth.server.store.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Executes tasks that may wait for the disk, keyed by object.
///
/// Tasks run concurrently, but those of one object run sequentially.
final class KeyedExecutor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyedExecutor.class);
    private static final int QUEUES = 16;

    private final List<BlockingQueue<Runnable>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /// Runs tasks on the caller's thread until it is started.
    KeyedExecutor() {}

    /// Starts to run tasks in the background.
    void start() {
        for (var i = 0; i < QUEUES; i++) {
            var queue = new LinkedBlockingQueue<Runnable>();
            queues.add(queue);
            threads.add(Thread.ofVirtual().name("gc-" + i).start(() -> runAll(queue)));
        }
    }

    void run(ObjectKey key, Runnable task) {
        if (queues.isEmpty()) {
            task.run();
        } else {
            queues.get(Math.floorMod(key.hashCode(), QUEUES)).add(task);
        }
    }

    private void runAll(BlockingQueue<Runnable> queue) {
        try {
            while (!closed) {
                runSafely(queue.take());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // A task that is interrupted by the shutdown fails; it runs again after the next start.
            if (!closed) {
                LOG.error("garbage collection of an object failed", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
