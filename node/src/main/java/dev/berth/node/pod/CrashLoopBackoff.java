package dev.berth.node.pod;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How long a container that keeps ending has to wait before it is started again: the first time
/// not at all, then ten seconds, then twice as long each time up to five minutes. One that ran for
/// ten minutes begins anew.
///
/// @param since when it was last started again
public record CrashLoopBackoff(Duration delay, Instant since) {

    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /// Until when a container has to wait; empty when it may be started.
    static Optional<Instant> until(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        return backoff.filter(one -> !one.isForgotten(ended))
                .map(one -> ended.plus(one.delay))
                .filter(until -> until.isAfter(now));
    }

    /// What holds when it is started now.
    static CrashLoopBackoff next(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        var delay =
                backoff.filter(one -> !one.isForgotten(ended))
                        .map(one -> one.delay.multipliedBy(2))
                        .orElse(FIRST);
        return new CrashLoopBackoff(delay.compareTo(LONGEST) > 0 ? LONGEST : delay, now);
    }

    private boolean isForgotten(Instant ended) {
        return ended.isAfter(since.plus(LONGEST.multipliedBy(2)));
    }
}
