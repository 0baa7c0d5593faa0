package dev.berth.node.pod;

import java.time.Duration;
import java.time.Instant;

/// Something that did not work and is tried again after a while, longer each time.
///
/// @param reason one word, as the pod's status shows it
/// @param failures in a row
public record RetryState(String reason, String message, int failures, Instant retryAt) {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 10;

    /// What is remembered after another failure.
    ///
    /// @param failures in a row before this one
    /// @param longest that it may wait
    static RetryState after(
            int failures, String reason, String message, Duration longest, Instant now) {
        var wait = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        return new RetryState(
                reason,
                message,
                failures + 1,
                now.plus(wait.compareTo(longest) > 0 ? longest : wait));
    }

    boolean holds(Instant now) {
        return retryAt.isAfter(now);
    }
}
