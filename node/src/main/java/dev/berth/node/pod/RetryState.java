package dev.berth.node.pod;

import dev.berth.model.workqueue.Backoff;
import java.time.Instant;

/// A failed action that is retried with exponential back-off.
///
/// @param reason CamelCase reason of the waiting state
/// @param failures consecutive failures
public record RetryState(String reason, String message, int failures, Instant retryAt) {

    /// The state after another failure.
    ///
    /// @param failures consecutive failures before this one
    static RetryState after(
            int failures, String reason, String message, Backoff backoff, Instant now) {
        return new RetryState(reason, message, failures + 1, now.plus(backoff.after(failures + 1)));
    }

    boolean isWaiting(Instant now) {
        return retryAt.isAfter(now);
    }
}
