package dev.berth.server.lifecycle;

import dev.berth.server.store.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Things to do about objects, each of which may have to wait for the disk.
///
/// Several are done at a time, but those about one object one after the other.
final class KeyedExecutor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyedExecutor.class);
    private static final int LANES = 16;

    private final List<BlockingQueue<Runnable>> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /// Whoever runs an errand does it himself, until they are started.
    KeyedExecutor() {}

    /// From now on errands are run in the background.
    void start() {
        for (var i = 0; i < LANES; i++) {
            var lane = new LinkedBlockingQueue<Runnable>();
            lanes.add(lane);
            threads.add(Thread.ofVirtual().name("errands-" + i).start(() -> follow(lane)));
        }
    }

    void run(ObjectKey key, Runnable errand) {
        if (lanes.isEmpty()) {
            errand.run();
        } else {
            lanes.get(Math.floorMod(key.hashCode(), LANES)).add(errand);
        }
    }

    private void follow(BlockingQueue<Runnable> lane) {
        try {
            while (!closed) {
                runSafely(lane.take());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void runSafely(Runnable errand) {
        try {
            errand.run();
        } catch (RuntimeException | Error e) {
            // Whoever is stopped in the middle of something fails at it, and goes on next time.
            if (!closed) {
                LOG.error("an errand failed", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
