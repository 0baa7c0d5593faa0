package dev.berth.client.workqueue;

import java.time.Duration;

/// Exponential back-off: the delay doubles with every failure, up to a limit.
public record Backoff(Duration first, Duration longest) {

    /// The back-off of Kubernetes' controllers.
    public static final Backoff DEFAULT =
            new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

    private static final int MAX_DOUBLINGS = 40;

    /// The delay before the next attempt.
    ///
    /// @param failures in a row, including the last one
    public Duration after(int failures) {
        var doublings = Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS);
        var factor = 1L << doublings;
        var tooLong = longest.dividedBy(factor).compareTo(first) < 0;
        return tooLong ? longest : first.multipliedBy(factor);
    }
}
