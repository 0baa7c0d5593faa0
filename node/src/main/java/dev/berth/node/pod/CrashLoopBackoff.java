package dev.berth.node.pod;

import dev.berth.model.workqueue.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Crash-loop back-off of a container: the first restart is immediate, the next waits 10 seconds,
/// then the delay doubles up to 5 minutes. A container that ran for 10 minutes resets it.
///
/// @param restarts number of restarts since the last reset
/// @param since time of the last restart
public record CrashLoopBackoff(int restarts, Instant since) {

    private static final Backoff BACKOFF =
            new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(5));
    private static final Duration RESET_AFTER = Duration.ofMinutes(10);

    /// The delay before the next restart.
    Duration delay() {
        return BACKOFF.after(restarts);
    }

    /// When the container may be restarted; empty if it may be restarted now.
    static Optional<Instant> until(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        return backoff.filter(one -> !one.isReset(ended))
                .map(one -> ended.plus(one.delay()))
                .filter(until -> until.isAfter(now));
    }

    /// The back-off after a restart now.
    static CrashLoopBackoff next(Optional<CrashLoopBackoff> backoff, Instant ended, Instant now) {
        var before = backoff.filter(one -> !one.isReset(ended)).map(CrashLoopBackoff::restarts);
        return new CrashLoopBackoff(before.orElse(0) + 1, now);
    }

    private boolean isReset(Instant ended) {
        return ended.isAfter(since.plus(RESET_AFTER));
    }
}
