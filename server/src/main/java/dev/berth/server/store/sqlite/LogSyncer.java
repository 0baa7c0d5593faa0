package dev.berth.server.store.sqlite;

import dev.berth.server.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/// Group commit: a thread that syncs the write-ahead log for the threads that wait for durability.
/// Threads that arrive during a sync share the next one. After a sync for several threads it delays
/// the next one, so that more of them share it.
final class LogSyncer {

    /// Delay after a sync with several waiters; about as long as a few syncs take.
    private static final Duration BATCHING_DELAY = Duration.ofNanos(400_000);

    /// Maximum delay before a change without waiters is synced.
    private static final Duration MAX_DELAY = Duration.ofMillis(20);

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

    /// Waits until everything up to the revision is durable. The revision must have been written.
    void awaitDurable(long revision) {
        if (disk.durable() < revision) {
            StoreException.join(syncCovering(revision).done);
        }
    }

    private synchronized Sync syncCovering(long revision) {
        if (revision <= running.upTo) {
            return running;
        }
        if (closed) {
            throw new StoreException("the store is closed; what was written last may be lost");
        }
        next.waiters++;
        notify();
        return next;
    }

    /// Schedules a sync after a write, which may have no waiters.
    synchronized void scheduleSync() {
        if (!due) {
            due = true;
            notify();
        }
    }

    private void run() {
        try {
            while (awaitWork()) {
                if (sync() > 1) {
                    LockSupport.parkNanos(BATCHING_DELAY.toNanos());
                }
            }
            sync();
        } catch (InterruptedException e) {
            // This thread is private and never interrupted.
            throw new IllegalStateException(e);
        }
    }

    /// Waits until there is a waiter or a sync is due; false if the syncer was closed.
    private synchronized boolean awaitWork() throws InterruptedException {
        while (next.waiters == 0 && !due && !closed) {
            wait();
        }
        var latest = System.nanoTime() + MAX_DELAY.toNanos();
        for (var left = MAX_DELAY.toNanos(); next.waiters == 0 && !closed && left > 0; ) {
            wait(left / 1_000_000, (int) (left % 1_000_000));
            left = latest - System.nanoTime();
        }
        return !closed;
    }

    /// Syncs, and returns the number of waiters.
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
        running.upTo = disk.written();
        next = new Sync();
        due = false;
        return running;
    }

    /// Makes all written changes durable and ends the thread. No change may be written after this
    /// call.
    void stop() throws InterruptedException {
        synchronized (this) {
            closed = true;
            notify();
        }
        thread.join();
    }

    /// One sync of the log and its waiters.
    private static final class Sync {
        private final CompletableFuture<Void> done = new CompletableFuture<>();

        // Guarded by the syncer.
        private long upTo = -1;
        private int waiters;
    }
}
