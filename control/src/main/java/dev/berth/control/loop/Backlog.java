package dev.berth.control.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/// What is left to do, by key: each key is there once, is worked on by one at a time, and comes
/// back later each time it fails.
///
/// It has no clock and no threads of its own. All of it is guarded by its own lock.
public final class Backlog<K> {

    private static final Duration FIRST_DELAY = Duration.ofMillis(5);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(2);
    private static final int MOST_DOUBLINGS = 20;

    private record Later<K>(Instant at, long order, K key) implements Comparable<Later<K>> {
        @Override
        public int compareTo(Later<K> other) {
            var byTime = at.compareTo(other.at);
            return byTime == 0 ? Long.compare(order, other.order) : byTime;
        }
    }

    private final Set<K> ready = new LinkedHashSet<>();
    private final PriorityQueue<Later<K>> later = new PriorityQueue<>();
    private final Map<K, Instant> dueAt = new HashMap<>();
    private final Set<K> busy = new HashSet<>();
    private final Set<K> dirty = new HashSet<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private long order;

    /// To be looked at as soon as possible; once more when somebody is looking at it now.
    public synchronized void add(K key) {
        if (busy.contains(key)) {
            dirty.add(key);
        } else {
            ready.add(key);
        }
    }

    /// To be looked at from a time on, or earlier when that was said before.
    public synchronized void addAt(K key, Instant at) {
        var before = dueAt.get(key);
        if (before == null || at.isBefore(before)) {
            dueAt.put(key, at);
            later.add(new Later<>(at, order++, key));
        }
    }

    /// The next key, which stays with whoever took it until [#done] or [#retry].
    public synchronized Optional<K> take(Instant now) {
        while (!later.isEmpty() && !later.peek().at().isAfter(now)) {
            var due = later.remove();
            if (due.at().equals(dueAt.get(due.key()))) {
                dueAt.remove(due.key());
                add(due.key());
            }
        }
        var iterator = ready.iterator();
        if (!iterator.hasNext()) {
            return Optional.empty();
        }
        var key = iterator.next();
        iterator.remove();
        busy.add(key);
        return Optional.of(key);
    }

    public synchronized void done(K key) {
        failures.remove(key);
        release(key);
    }

    /// Gives a key back that is to be tried again, later each time.
    public synchronized void retry(K key, Instant now) {
        var count = failures.merge(key, 1, Integer::sum);
        var delay = FIRST_DELAY.multipliedBy(1L << Math.min(count - 1, MOST_DOUBLINGS));
        addAt(key, now.plus(delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY));
        release(key);
    }

    private void release(K key) {
        busy.remove(key);
        if (dirty.remove(key)) {
            ready.add(key);
        }
    }

    /// When there is something to take: [Instant#MIN] for now.
    public synchronized Optional<Instant> nextDue() {
        if (!ready.isEmpty()) {
            return Optional.of(Instant.MIN);
        }
        while (!later.isEmpty() && !later.peek().at().equals(dueAt.get(later.peek().key()))) {
            later.remove();
        }
        return Optional.ofNullable(later.peek()).map(Later::at);
    }

    /// How many keys wait, those for later included.
    public synchronized int size() {
        return ready.size() + dueAt.size();
    }
}
