package dev.berth.drivers.sim;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Delaying work queue of fleet tasks. A task is queued at most once and processed by one thread at
/// a time.
final class FleetTaskQueue {

    private record Entry(Instant at, long number, FleetTask task) {}

    // The lock of this object guards all of these.
    private final Map<FleetTask, Entry> entries = new HashMap<>();
    private final Set<FleetTask> busy = new HashSet<>();
    private final TreeSet<Entry> order =
            new TreeSet<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::number));
    private long sequence;

    /// Enqueues a task; the earlier time wins if it is queued already.
    synchronized void put(FleetTask task, Instant at) {
        var old = entries.get(task);
        if (old != null && !at.isBefore(old.at)) {
            return;
        }
        var entry = new Entry(at, sequence++, task);
        entries.put(task, entry);
        if (!busy.contains(task)) {
            if (old != null) {
                order.remove(old);
            }
            order.add(entry);
        }
    }

    /// Takes the task that is due first; no other thread gets it until [#finish].
    synchronized Optional<FleetTask> take(Instant now) {
        if (order.isEmpty() || order.first().at.isAfter(now)) {
            return Optional.empty();
        }
        var entry = order.removeFirst();
        entries.remove(entry.task);
        busy.add(entry.task);
        return Optional.of(entry.task);
    }

    /// Finishes a task, and requeues it if it was enqueued meanwhile or if the caller requests it.
    synchronized void finish(FleetTask task, Optional<Instant> requeueAt) {
        busy.remove(task);
        var waiting = entries.get(task);
        if (waiting != null) {
            order.add(waiting);
        }
        requeueAt.ifPresent(at -> put(task, at));
    }

    synchronized Optional<Instant> nextDue() {
        return order.isEmpty() ? Optional.empty() : Optional.of(order.first().at);
    }
}
