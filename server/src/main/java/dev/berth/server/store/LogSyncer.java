package dev.berth.server.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// Makes changes durable for those who wait for that, on a thread of its own. All who have gathered
/// while it was busy share one sync of the disk, and while there are many, it rests a moment after
/// each sync, so that still more of them share the next.
final class LogSyncer {

    /// About as long as a few syncs take.
    private static final Duration REST = Duration.ofNanos(400_000);

    /// How long changes that nobody waits for may take to become durable.
    private static final Duration LAZY = Duration.ofMillis(20);

    private final SqliteDisk disk;
    private final Thread thread =
            Thread.ofPlatform().name("store-syncer").daemon().unstarted(this::run);

    // Guarded by this.
    private Sync running = new Sync();
    private Sync next = new Sync();
    private boolean due;
    private boolean closed;

    LogSyncer(SqliteDisk disk) {
        this.disk = disk;
    }

    void start() {
        thread.start();
    }

    /// Waits until everything up to that revision is durable. It must have been written.
    void secure(long revision) {
        if (disk.durable() < revision) {
            StoreException.join(covering(revision).done);
        }
    }

    private synchronized Sync covering(long revision) {
        if (revision <= running.reaches) {
            return running;
        }
        if (closed) {
            throw new StoreException("the store is closed; what was written last may be lost");
        }
        next.waiters++;
        notify();
        return next;
    }

    /// Something was written, for which perhaps nobody waits.
    synchronized void written() {
        if (!due) {
            due = true;
            notify();
        }
    }

    private void run() {
        try {
            while (awaitWork()) {
                if (sync() > 1) {
                    LockSupport.parkNanos(REST.toNanos());
                }
            }
            sync();
        } catch (InterruptedException e) {
            // Nobody interrupts this thread, which is private.
            throw new IllegalStateException(e);
        }
    }

    /// Waits until somebody waits or a sync is due; false when the syncer was closed.
    private synchronized boolean awaitWork() throws InterruptedException {
        while (next.waiters == 0 && !due && !closed) {
            wait();
        }
        var latest = System.nanoTime() + LAZY.toNanos();
        for (var left = LAZY.toNanos(); next.waiters == 0 && !closed && left > 0; ) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
            left = latest - System.nanoTime();
        }
        return !closed;
    }

    /// Returns for how many it was.
    private int sync() {
        var sync = begin();
        try {
            disk.sync();
            sync.done.complete(null);
        } catch (RuntimeException | Error e) {
            sync.done.completeExceptionally(e);
        }
        return sync.waiters;
    }

    private synchronized Sync begin() {
        running = next;
        running.reaches = disk.written();
        next = new Sync();
        due = false;
        return running;
    }

    /// Makes durable what was written. Nothing is written from now on.
    void stop() throws InterruptedException {
        synchronized (this) {
            closed = true;
            notify();
        }
        thread.join();
    }

    /// One sync of the disk.
    private static final class Sync {
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        // Guarded by the syncer.
        private long reaches = -1;
        private int waiters;
    }
}
