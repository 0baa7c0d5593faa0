package dev.berth.server.store;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Threads that wait for a revision or for a change in a scope. A change wakes only the threads
/// that it concerns.
///
/// No wake-up is lost: a thread registers before its last check, and a writer reads the registered
/// threads after its change.
final class RevisionWaiters {

    /// Threads with more nanoseconds left park without a timeout, since a timed park costs the
    /// wake-up of the timer thread.
    private static final long UNTIMED = Watch.FOREVER.toNanos() / 2;

    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentSkipListSet<Waiter> byRevision =
            new ConcurrentSkipListSet<>(
                    Comparator.comparingLong(Waiter::revision).thenComparingLong(Waiter::number));
    private final Map<String, Set<Waiter>> byCollection = new ConcurrentHashMap<>();

    /// Waits for the revision until `over` is true; false on timeout.
    boolean await(long revision, Duration timeout, BooleanSupplier over)
            throws InterruptedException {
        var waiter = waiter(new CollectionScope("", ""), revision);
        byRevision.add(waiter);
        try {
            return park(timeout, over);
        } finally {
            byRevision.remove(waiter);
        }
    }

    /// Waits for changes in the scope until `over` is true; false on timeout.
    boolean await(CollectionScope scope, Duration timeout, BooleanSupplier over)
            throws InterruptedException {
        var waiter = waiter(scope, 0);
        var set =
                byCollection.computeIfAbsent(
                        scope.collection(), _ -> ConcurrentHashMap.newKeySet());
        set.add(waiter);
        try {
            return park(timeout, over);
        } finally {
            set.remove(waiter);
        }
    }

    private Waiter waiter(CollectionScope scope, long revision) {
        return new Waiter(scope, revision, numbers.incrementAndGet(), Thread.currentThread());
    }

    private boolean park(Duration timeout, BooleanSupplier over) throws InterruptedException {
        var deadline = System.nanoTime() + timeout.toNanos();
        while (!over.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            var left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            if (left > UNTIMED) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, left);
            }
        }
        return true;
    }

    void wake(List<Change> changes, long revision) {
        for (var waiter : byRevision) {
            if (waiter.revision > revision) {
                break;
            }
            LockSupport.unpark(waiter.thread);
        }
        namespaces(changes).forEach(this::wake);
    }

    private void wake(String collection, Set<String> namespaces) {
        for (var waiter : byCollection.getOrDefault(collection, Set.of())) {
            var namespace = waiter.scope.namespace();
            if (namespace.isEmpty() || namespaces.contains(namespace)) {
                LockSupport.unpark(waiter.thread);
            }
        }
    }

    private static Map<String, Set<String>> namespaces(List<Change> changes) {
        var namespaces = new HashMap<String, Set<String>>();
        for (var change : changes) {
            var key = change.entry().key();
            namespaces.computeIfAbsent(key.collection(), _ -> new HashSet<>()).add(key.namespace());
        }
        return namespaces;
    }

    void wakeAll() {
        byRevision.forEach(waiter -> LockSupport.unpark(waiter.thread));
        byCollection
                .values()
                .forEach(set -> set.forEach(waiter -> LockSupport.unpark(waiter.thread)));
    }

    private record Waiter(CollectionScope scope, long revision, long number, Thread thread) {}
}
