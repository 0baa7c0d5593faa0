package dev.berth.model.event;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// Repetitions of events of `events.k8s.io/v1` (client-go's `tools/events`).
///
/// The second occurrence is written at once as a series of two. Further ones are counted, and
/// written after [#REFRESH], or after [#SILENCE] without another.
final class EventSeries {

    static final Duration REFRESH = Duration.ofMinutes(30);
    static final Duration SILENCE = Duration.ofMinutes(6);

    private record Series(CorrelatedEvent event, Instant writtenAt) {

        Instant dueAt() {
            var silent = event.last().plus(SILENCE);
            var refresh = writtenAt.plus(REFRESH);
            return silent.isBefore(refresh) ? silent : refresh;
        }
    }

    private final Map<Object, Series> recent = new RecentEntries<>();

    /// Keys of series with occurrences that are not written.
    private final Set<Object> unwritten = new LinkedHashSet<>();

    /// True when an occurrence continues a series, or begins one with an event before it.
    boolean continues(Object key, Instant now) {
        var before = recent.get(key);
        return before != null && now.isBefore(before.event.last().plus(SILENCE));
    }

    /// Remembers a first occurrence.
    void begin(Object key, CorrelatedEvent first) {
        unwritten.remove(key);
        recent.put(key, new Series(first, first.last()));
    }

    /// Counts one more occurrence. Returns the event if it has to be written now.
    Optional<CorrelatedEvent> repeat(Object key, Instant now) {
        var before = Objects.requireNonNull(recent.get(key));
        var counted = before.event.counted(now);
        if (counted.count() == 2) {
            recent.put(key, new Series(counted, now));
            return Optional.of(counted);
        }
        recent.put(key, new Series(counted, before.writtenAt));
        unwritten.add(key);
        return Optional.empty();
    }

    /// The series that have to be written now.
    List<CorrelatedEvent> due(Instant now) {
        var due = new ArrayList<CorrelatedEvent>();
        for (var key : List.copyOf(unwritten)) {
            var series = recent.get(key);
            if (series == null) {
                unwritten.remove(key);
            } else if (!series.dueAt().isAfter(now)) {
                due.add(series.event);
                unwritten.remove(key);
                recent.put(key, new Series(series.event, now));
            }
        }
        return due;
    }

    /// When a series is due next.
    Optional<Instant> nextDue() {
        Optional<Instant> earliest = Optional.empty();
        for (var key : unwritten) {
            var series = recent.get(key);
            if (series != null && earliest.filter(one -> !one.isAfter(series.dueAt())).isEmpty()) {
                earliest = Optional.of(series.dueAt());
            }
        }
        return earliest;
    }
}
