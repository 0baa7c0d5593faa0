package dev.berth.client.workqueue;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Keys that wait to be worked on. A key waits at most once, and is never worked on twice at the
/// same time: one that is added meanwhile comes again when it is done.
///
/// It knows no clock and no threads; the time is handed in. Use it from one thread.
public final class WorkQueue<K> {

    private final Backoff pace;
    private final Map<K, Place<K>> waiting = new HashMap<>();
    private final TreeSet<Place<K>> order =
            new TreeSet<>(
                    Comparator.comparing((Place<K> place) -> place.due)
                            .thenComparingLong(place -> place.number));
    private final Set<K> taken = new HashSet<>();
    private final Map<K, Place<K>> again = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private long numbers;

    /// @param number of those with the same time the one that came first is first
    private record Place<K>(K key, Instant due, long number) {}

    public WorkQueue(Backoff pace) {
        this.pace = pace;
    }

    /// The key is to be worked on from then on. A key that waits already keeps the earlier time.
    public void add(K key, Instant due) {
        var place = new Place<>(key, due, numbers++);
        if (taken.contains(key)) {
            again.merge(key, place, WorkQueue::earlier);
        } else {
            waitIn(place);
        }
    }

    private void waitIn(Place<K> place) {
        var there = waiting.get(place.key);
        if (there != null) {
            if (!place.due.isBefore(there.due)) {
                return;
            }
            order.remove(there);
        }
        waiting.put(place.key, place);
        order.add(place);
    }

    private static <K> Place<K> earlier(Place<K> one, Place<K> other) {
        return other.due.isBefore(one.due) ? other : one;
    }

    /// Takes the key that has been due longest. It has to be given back by one of [#done], [#retry]
    /// and [#later].
    public Optional<K> next(Instant now) {
        if (order.isEmpty() || order.first().due.isAfter(now)) {
            return Optional.empty();
        }
        var place = order.removeFirst();
        waiting.remove(place.key);
        taken.add(place.key);
        return Optional.of(place.key);
    }

    /// When the next key is due; nothing when none waits.
    public Optional<Instant> nextDue() {
        return order.isEmpty() ? Optional.empty() : Optional.of(order.first().due);
    }

    /// The key was worked on well.
    public void done(K key) {
        failures.remove(key);
        giveBack(key);
    }

    /// The key was worked on well, and is to be looked at again later.
    public void later(K key, Instant due) {
        failures.remove(key);
        again.merge(key, new Place<>(key, due, numbers++), WorkQueue::earlier);
        giveBack(key);
    }

    /// The key failed: it comes again after a while, longer each time.
    public void retry(K key, Instant now) {
        var count = failures.merge(key, 1, Integer::sum);
        var place = new Place<>(key, now.plus(pace.after(count)), numbers++);
        again.merge(key, place, WorkQueue::earlier);
        giveBack(key);
    }

    private void giveBack(K key) {
        taken.remove(key);
        var place = again.remove(key);
        if (place != null) {
            waitIn(place);
        }
    }

    /// How long the key would wait if it failed now.
    public Duration patience(K key) {
        return pace.after(failures(key) + 1);
    }

    /// How often the key has failed in a row.
    public int failures(K key) {
        return failures.getOrDefault(key, 0);
    }

    /// Keys that wait, due or not.
    public int waiting() {
        return waiting.size();
    }

    /// Keys that are being worked on.
    public int taken() {
        return taken.size();
    }
}
