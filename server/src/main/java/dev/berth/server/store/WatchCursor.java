package dev.berth.server.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A watch that stores only the revision up to which its owner has seen everything. It costs the
/// store nothing while its scope has no changes.
final class WatchCursor implements Watch {

    /// Interval at which a watch of one namespace advances. Changes in other namespaces of the
    /// collection do not wake it, but it must move past them, since it would be too old once they
    /// are dropped.
    private static final Duration ADVANCE_INTERVAL = Duration.ofSeconds(2);

    private final History history;
    private final RevisionWaiters waiters;
    private final CollectionScope scope;
    private long seen;
    private Progress found;
    private volatile boolean closed;
    private volatile @Nullable Thread waitingThread;

    WatchCursor(History history, RevisionWaiters waiters, CollectionScope scope, long after) {
        this.history = history;
        this.waiters = waiters;
        this.scope = scope;
        this.seen = after;
        this.found = new Changes(List.of(), after);
    }

    @Override
    public Progress next(Duration timeout) throws InterruptedException {
        var deadline = System.nanoTime() + timeout.toNanos();
        waitingThread = Thread.currentThread();
        try {
            var over = advance();
            for (var left = timeout; !over && left.isPositive(); ) {
                over = waiters.await(scope, waitTime(left), this::advance);
                left = Duration.ofNanos(deadline - System.nanoTime());
            }
            return found;
        } finally {
            waitingThread = null;
        }
    }

    private Duration waitTime(Duration left) {
        return scope.namespace().isEmpty() || left.compareTo(ADVANCE_INTERVAL) < 0
                ? left
                : ADVANCE_INTERVAL;
    }

    /// Fetches the changes since the last revision seen, and advances. True if there is a result to
    /// return.
    private boolean advance() {
        found = closed ? new Ended() : history.changesAfter(scope, seen);
        return switch (found) {
            case Changes(var changes, var revision) -> {
                seen = revision;
                yield !changes.isEmpty();
            }
            case TooOld _, Ended _ -> true;
        };
    }

    @Override
    public void close() {
        closed = true;
        var thread = waitingThread;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
