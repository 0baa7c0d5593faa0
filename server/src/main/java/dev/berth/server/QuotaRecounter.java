package dev.berth.server;

import dev.berth.server.store.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Quotas that have to be counted anew: each once, however much has changed. The first change is
/// counted at once, those that come within the pause after it together.
final class QuotaRecounter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(QuotaRecounter.class);

    /// A namespace that is emptied would otherwise be listed once for each object.
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Consumer<ObjectKey> count;
    private final Thread thread = Thread.ofVirtual().name("quotas").unstarted(this::run);
    // Guarded by this, as is the next.
    private final Set<ObjectKey> due = new LinkedHashSet<>();
    private boolean started;
    private volatile boolean closed;

    QuotaRecounter(Consumer<ObjectKey> count) {
        this.count = count;
    }

    /// From now on quotas are counted in the background.
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
                Thread.sleep(PAUSE);
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
            // Whoever is stopped in the middle of something fails at it, and goes on next time.
            if (!closed) {
                LOG.error("quota {} was not counted", quota, e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
