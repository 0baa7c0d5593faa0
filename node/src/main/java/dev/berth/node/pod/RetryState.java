package dev.berth.node.pod;

import java.time.Duration;
import java.time.Instant;

/// A failed action that is retried with exponential back-off.
///
/// @param reason CamelCase reason of the waiting state
/// @param failures consecutive failures
public record RetryState(String reason, String message, int failures, Instant retryAt) {

    private static final Duration INITIAL_DELAY = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 10;

    /// The state after another failure.
    ///
    /// @param failures consecutive failures before this one
    /// @param maxDelay maximum delay
    static RetryState after(
            int failures, String reason, String message, Duration maxDelay, Instant now) {
        var wait = INITIAL_DELAY.multipliedBy(1L << Math.min(failures, MAX_DOUBLINGS));
        return new RetryState(
                reason,
                message,
                failures + 1,
                now.plus(wait.compareTo(maxDelay) > 0 ? maxDelay : wait));
    }

    boolean isWaiting(Instant now) {
        return retryAt.isAfter(now);
    }
}
