package dev.berth.server;

import dev.berth.server.store.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Queue of quotas to recount: each is queued at most once. The first change is recounted at once,
/// later changes are batched.
final class QuotaRecounter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(QuotaRecounter.class);

    /// Delay between batches: otherwise deleting the objects of a namespace would list it once for
    /// each object.
    private static final Duration BATCH_DELAY = Duration.ofMillis(50);

    private final Consumer<ObjectKey> count;
    private final Thread thread = Thread.ofVirtual().name("quotas").unstarted(this::run);
    // Guarded by this, like `started`.
    private final Set<ObjectKey> due = new LinkedHashSet<>();
    private boolean started;
    private volatile boolean closed;

    QuotaRecounter(Consumer<ObjectKey> count) {
        this.count = count;
    }

    /// Starts to recount in the background.
    synchronized void start() {
        started = true;
        thread.start();
    }

    void add(ObjectKey quota) {
        synchronized (this) {
            if (started) {
                due.add(quota);
                notifyAll();
                return;
            }
        }
        count.accept(quota);
    }

    private void run() {
        try {
            while (!closed) {
                take().forEach(this::countSafely);
                Thread.sleep(BATCH_DELAY);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<ObjectKey> take() throws InterruptedException {
        while (due.isEmpty()) {
            wait();
        }
        var all = List.copyOf(due);
        due.clear();
        return all;
    }

    private void countSafely(ObjectKey quota) {
        try {
            count.accept(quota);
        } catch (RuntimeException e) {
            // A recount that is interrupted by the shutdown fails; the next server start recounts.
            if (!closed) {
                LOG.error("recount of quota {} failed", quota, e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
