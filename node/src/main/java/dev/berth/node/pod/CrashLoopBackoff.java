package dev.berth.node.pod;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Crash-loop back-off of a container: the first restart is immediate, the next waits 10 seconds,
/// then the delay doubles up to 5 minutes. A container that ran for 10 minutes resets it.
///
/// @param since time of the last restart
public record CrashLoopBackoff(Duration delay, Instant since) {

    private static final Duration INITIAL_DELAY = Duration.ofSeconds(10);
    private static final Duration MAX_DELAY = Duration.ofMinutes(5);

    /// When the container may be restarted; empty if it may be restarted now.
    static Optional<Instant> until(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        return backoff.filter(one -> !one.isReset(ended))
                .map(one -> ended.plus(one.delay))
                .filter(until -> until.isAfter(now));
    }

    /// The back-off after a restart now.
    static CrashLoopBackoff next(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        var delay =
                backoff.filter(one -> !one.isReset(ended))
                        .map(one -> one.delay.multipliedBy(2))
                        .orElse(INITIAL_DELAY);
        return new CrashLoopBackoff(delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay, now);
    }

    private boolean isReset(Instant ended) {
        return ended.isAfter(since.plus(MAX_DELAY.multipliedBy(2)));
    }
}
