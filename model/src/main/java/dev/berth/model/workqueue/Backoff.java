package dev.berth.model.workqueue;

import java.time.Duration;
import java.util.random.RandomGenerator;

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

    /// The delay times a random factor between one and two, so that clients that lost a server do
    /// not reconnect all at once.
    ///
    /// @param failures in a row, including the last one
    public Duration afterWithJitter(int failures, RandomGenerator random) {
        var delay = after(failures);
        return delay.plusMillis((long) (delay.toMillis() * random.nextDouble()));
    }
}
