package dev.berth.model.workqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A delaying, rate-limited work queue, as client-go's `workqueue`. A key is queued at most once
/// and never processed twice at the same time: a key that is added while it is processed is queued
/// again afterwards.
///
/// The queue has no clock and no threads; callers pass the time. Not thread-safe.
final class WorkQueue<K> {

    private final Backoff backoff;
    private final Map<K, Entry<K>> waiting = new HashMap<>();
    private final TreeSet<Entry<K>> order =
            new TreeSet<>(
                    Comparator.comparing((Entry<K> entry) -> entry.due)
                            .thenComparingLong(entry -> entry.number));
    private final Set<K> processing = new HashSet<>();
    private final Map<K, Entry<K>> requeued = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private WorkQueueObserver observer = WorkQueueObserver.NONE;
    private long nextNumber;

    /// @param number breaks ties: entries with the same time are processed in the order of
    ///   insertion
    private record Entry<K>(K key, Instant due, long number) {}

    WorkQueue(Backoff backoff) {
        this.backoff = backoff;
    }

    /// Passes what happens to the keys to an observer.
    void observe(WorkQueueObserver newObserver) {
        observer = newObserver;
    }

    /// Queues a key that is due already.
    ///
    /// @param latest the latest time that the queue has seen
    void addNow(K key, Instant latest) {
        if (add(key, latest)) {
            observer.added(key);
        }
    }

    /// Queues a key for a time. A key that is queued already keeps the earlier time; false when
    /// that is the time it was queued for.
    boolean add(K key, Instant due) {
        var entry = new Entry<>(key, due, nextNumber++);
        return processing.contains(key)
                ? entry.equals(requeued.merge(key, entry, WorkQueue::earlier))
                : enqueue(entry);
    }

    private boolean enqueue(Entry<K> entry) {
        var queued = waiting.get(entry.key);
        if (queued != null) {
            if (!entry.due.isBefore(queued.due)) {
                return false;
            }
            order.remove(queued);
        }
        waiting.put(entry.key, entry);
        order.add(entry);
        return true;
    }

    private static <K> Entry<K> earlier(Entry<K> one, Entry<K> other) {
        return other.due.isBefore(one.due) ? other : one;
    }

    /// Takes the key that has been due longest. The caller has to finish it by one of [#done],
    /// [#retry] and [#later].
    Optional<K> next(Instant now) {
        if (order.isEmpty() || order.first().due.isAfter(now)) {
            return Optional.empty();
        }
        var entry = order.removeFirst();
        waiting.remove(entry.key);
        processing.add(entry.key);
        observer.taken(entry.key, overdue(entry.due, now));
        return Optional.of(entry.key);
    }

    /// Keys that are added before the first time is known are due since ever.
    private static Duration overdue(Instant due, Instant now) {
        return due.equals(Instant.MIN) ? Duration.ZERO : Duration.between(due, now);
    }

    /// Number of queued keys that are due.
    int depth(Instant now) {
        var depth = 0;
        for (var entry : order) {
            if (entry.due.isAfter(now)) {
                break;
            }
            depth++;
        }
        return depth;
    }

    /// When the next key is due; empty when none is queued.
    Optional<Instant> nextDue() {
        return order.isEmpty() ? Optional.empty() : Optional.of(order.first().due);
    }

    /// The key was processed successfully.
    void done(K key) {
        failures.remove(key);
        finish(key);
    }

    /// The key was processed successfully and is queued again for a later time.
    void later(K key, Instant due) {
        failures.remove(key);
        requeued.merge(key, new Entry<>(key, due, nextNumber++), WorkQueue::earlier);
        finish(key);
    }

    /// Processing the key failed: it is queued again after its back-off.
    void retry(K key, Instant now) {
        var count = failures.merge(key, 1, Integer::sum);
        var entry = new Entry<>(key, now.plus(backoff.after(count)), nextNumber++);
        requeued.merge(key, entry, WorkQueue::earlier);
        observer.retried(key);
        finish(key);
    }

    private void finish(K key) {
        processing.remove(key);
        observer.finished(key);
        var entry = requeued.remove(key);
        if (entry != null) {
            enqueue(entry);
        }
    }

    /// Consecutive failures of the key.
    int failures(K key) {
        return failures.getOrDefault(key, 0);
    }

    /// True when the delay after another failure of the key is the longest of the back-off.
    boolean isFailingLongest(K key) {
        return backoff.after(failures(key) + 1).equals(backoff.longest());
    }

    /// Number of keys that are being processed.
    int processing() {
        return processing.size();
    }
}
