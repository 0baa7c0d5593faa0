package dev.berth.server.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A watch is nothing but a number: the revision up to which its owner has seen everything. So it
/// costs the store nothing while nothing happens in its scope.
final class WatchCursor implements Watch {

    /// Changes in other namespaces of the collection do not wake a watcher. Now and then it has to
    /// move past them, since it would be too old once they are forgotten.
    private static final Duration NAP = Duration.ofSeconds(2);

    private final History history;
    private final RevisionWaiters waiters;
    private final CollectionScope scope;
    private long seen;
    private Progress found;
    private volatile boolean closed;
    private volatile @Nullable Thread waiting;

    WatchCursor(History history, RevisionWaiters waiters, CollectionScope scope, long after) {
        this.history = history;
        this.waiters = waiters;
        this.scope = scope;
        this.seen = after;
        this.found = new Changes(List.of(), after);
    }

    @Override
    public Progress next(Duration patience) throws InterruptedException {
        var deadline = System.nanoTime() + patience.toNanos();
        waiting = Thread.currentThread();
        try {
            var over = advance();
            for (var left = patience; !over && left.isPositive(); ) {
                over = waiters.await(scope, nap(left), this::advance);
                left = Duration.ofNanos(deadline - System.nanoTime());
            }
            return found;
        } finally {
            waiting = null;
        }
    }

    private Duration nap(Duration left) {
        return scope.namespace().isEmpty() || left.compareTo(NAP) < 0 ? left : NAP;
    }

    /// Looks, and moves up to where it has looked. True when there was something to be seen.
    private boolean advance() {
        found = closed ? new Ended() : history.since(scope, seen);
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
        var thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
