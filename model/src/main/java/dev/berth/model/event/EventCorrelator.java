package dev.berth.model.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides how an event is written, as client-go's `EventCorrelator` does: equal events increase
/// the count of one object, similar ones are combined beyond nine messages, and a spam filter drops
/// writes above a rate. Not thread-safe. All caches are bounded.
public final class EventCorrelator {

    private static final int MAX_OBJECT_NAME = 236;

    /// What to do with an event.
    public sealed interface Correlation {

        /// Write the event object.
        record Write(CorrelatedEvent event) implements Correlation {}

        /// The occurrence is counted, and written later by [EventCorrelator#due].
        record Deferred() implements Correlation {}

        /// The spam filter drops the write; the occurrence is counted.
        record Filtered() implements Correlation {}
    }

    /// Identity of equal events of `core/v1`. The similarity alone is that of combined events.
    private record Equality(
            EventSource source,
            InvolvedObject object,
            EventType type,
            String reason,
            String message) {}

    /// Identity of the occurrences of a series, which may differ in their message.
    private record SeriesKey(
            EventSource source,
            InvolvedObject object,
            EventType type,
            String reason,
            String action) {}

    private final SimilarEvents similar = new SimilarEvents();
    private final EventSpamFilter spamFilter = new EventSpamFilter();
    private final EventSeries series = new EventSeries();
    private final Map<Object, CorrelatedEvent> counted = new RecentEntries<>();
    private long lastNanos;

    public Correlation correlate(Event event, Instant now) {
        return switch (event.source().api()) {
            case CORE -> count(event, now);
            case SERIES -> addToSeries(event, now);
        };
    }

    private Correlation count(Event event, Instant now) {
        var combination = similar.combine(event, now);
        var key = combination.isCombined() ? combination.similarity() : equality(event);
        var before = counted.get(key);
        var next =
                before == null
                        ? first(combination.event(), now)
                        : before.repeated(combination.event(), now);
        counted.put(key, next);
        return spamFilter.admits(event, now)
                ? new Correlation.Write(next)
                : new Correlation.Filtered();
    }

    private static Equality equality(Event event) {
        return new Equality(
                event.source(),
                event.object().anyVersion(),
                event.type(),
                event.reason(),
                event.message());
    }

    private Correlation addToSeries(Event event, Instant now) {
        var combination = similar.combine(event, now);
        var key =
                combination.isCombined()
                        ? combination.similarity()
                        : new SeriesKey(
                                event.source(),
                                event.object(),
                                event.type(),
                                event.reason(),
                                event.action());
        if (series.continues(key, now)) {
            return series.repeat(key, now)
                    .<Correlation>map(Correlation.Write::new)
                    .orElseGet(Correlation.Deferred::new);
        }
        if (!spamFilter.admits(event, now)) {
            return new Correlation.Filtered();
        }
        var first = first(combination.event(), now);
        series.begin(key, first);
        return new Correlation.Write(first);
    }

    private CorrelatedEvent first(Event event, Instant now) {
        return new CorrelatedEvent(event, name(event.object().name(), now), now, now, 1, false);
    }

    /// `<object>.<time in nanoseconds>`. Times increase, so that names are unique in this process.
    private String name(String object, Instant now) {
        lastNanos = Math.max(lastNanos + 1, now.getEpochSecond() * 1_000_000_000L + now.getNano());
        var end = Math.min(object.length(), MAX_OBJECT_NAME);
        while (end < object.length() && !Character.isLetterOrDigit(object.charAt(end - 1))) {
            end--;
        }
        return object.substring(0, end) + "." + Long.toHexString(lastNanos);
    }

    /// Series whose counts have to be written now.
    public List<CorrelatedEvent> due(Instant now) {
        return series.due(now);
    }

    /// When a series is due next.
    public Optional<Instant> nextDue() {
        return series.nextDue();
    }
}
