package dev.berth.model.event;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Combines similar events, which differ only in their message (client-go's `EventAggregator`).
///
/// The first nine messages keep events of their own. Each further message is an event "(combined
/// from similar events): …" under one key, so that it replaces the message of the one before. Ten
/// minutes without a similar event start anew. Which nine messages client-go keeps is undefined;
/// here they are the first nine.
final class SimilarEvents {

    static final int MAX_MESSAGES = 10;
    static final Duration WINDOW = Duration.ofMinutes(10);
    static final String PREFIX = "(combined from similar events): ";

    /// What similar events have in common.
    record Similarity(EventSource source, InvolvedObject object, EventType type, String reason) {}

    private record Messages(Set<String> distinct, Instant last) {}

    /// The event to count.
    ///
    /// @param isCombined whether the event stands for several messages
    record Combination(Similarity similarity, Event event, boolean isCombined) {}

    private final Map<Similarity, Messages> recent = new RecentEntries<>();

    Combination combine(Event event, Instant now) {
        var similarity =
                new Similarity(
                        event.source(), event.object().whole(), event.type(), event.reason());
        var before = recent.get(similarity);
        var distinct =
                before == null || now.isAfter(before.last.plus(WINDOW))
                        ? new HashSet<String>()
                        : before.distinct;
        recent.put(similarity, new Messages(distinct, now));
        distinct.add(event.message());
        if (distinct.size() < MAX_MESSAGES) {
            return new Combination(similarity, event, false);
        }
        distinct.remove(event.message());
        return new Combination(similarity, event.withMessage(PREFIX + event.message()), true);
    }
}
