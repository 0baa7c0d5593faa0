package dev.berth.drivers.sim;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// When to look after what. Each chore is on it once, and done by one thread at a time.
final class FleetTaskQueue {

    private record Entry(Instant at, long number, FleetTask chore) {}

    // The lock of this object guards all of these.
    private final Map<FleetTask, Entry> entries = new HashMap<>();
    private final Set<FleetTask> busy = new HashSet<>();
    private final TreeSet<Entry> order =
            new TreeSet<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::number));
    private long count;

    /// Puts a chore on the agenda; an earlier time goes before a later one.
    synchronized void put(FleetTask chore, Instant at) {
        var old = entries.get(chore);
        if (old != null && !at.isBefore(old.at)) {
            return;
        }
        var entry = new Entry(at, count++, chore);
        entries.put(chore, entry);
        if (!busy.contains(chore)) {
            if (old != null) {
                order.remove(old);
            }
            order.add(entry);
        }
    }

    /// The chore that is due first; it is the caller's until [#finish].
    synchronized Optional<FleetTask> take(Instant now) {
        if (order.isEmpty() || order.first().at.isAfter(now)) {
            return Optional.empty();
        }
        var entry = order.removeFirst();
        entries.remove(entry.chore);
        busy.add(entry.chore);
        return Optional.of(entry.chore);
    }

    /// Ends a chore, and comes back to it if something happened meanwhile or if the caller says so.
    synchronized void finish(FleetTask chore, Optional<Instant> again) {
        busy.remove(chore);
        var waiting = entries.get(chore);
        if (waiting != null) {
            order.add(waiting);
        }
        again.ifPresent(at -> put(chore, at));
    }

    synchronized Optional<Instant> nextDue() {
        return order.isEmpty() ? Optional.empty() : Optional.of(order.first().at);
    }
}
