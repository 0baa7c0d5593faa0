package dev.berth.model.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// Limits the writes of events: for each source, object and type a token bucket with [#BURST]
/// tokens and one more every [#REFILL] (client-go's `EventSourceObjectSpamFilter`).
final class EventSpamFilter {

    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);

    private record Bucket(EventSource source, InvolvedObject object, EventType type) {}

    /// Tokens at a time; a part of a token is kept as the time since which it grows.
    private record Tokens(int count, Instant since) {}

    private final Map<Bucket, Tokens> buckets = new RecentEntries<>();

    /// Takes a token; false when there is none.
    boolean admits(Event event, Instant now) {
        var bucket = new Bucket(event.source(), event.object().whole(), event.type());
        var tokens = refilled(buckets.getOrDefault(bucket, new Tokens(BURST, now)), now);
        var isAdmitted = tokens.count > 0;
        buckets.put(bucket, isAdmitted ? new Tokens(tokens.count - 1, tokens.since) : tokens);
        return isAdmitted;
    }

    private static Tokens refilled(Tokens tokens, Instant now) {
        var added = Duration.between(tokens.since, now).dividedBy(REFILL);
        if (tokens.count + added >= BURST) {
            return new Tokens(BURST, now);
        }
        return added <= 0
                ? tokens
                : new Tokens(
                        (int) (tokens.count + added),
                        tokens.since.plus(REFILL.multipliedBy(added)));
    }
}
