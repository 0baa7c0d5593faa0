package dev.berth.client.workqueue;

import java.time.Duration;

/// How long to wait after a key has failed: twice as long each time, up to a bound.
public record Backoff(Duration first, Duration longest) {

    /// What Kubernetes' controllers use.
    public static final Backoff DEFAULT =
            new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

    private static final int MAX_DOUBLINGS = 40;

    /// How long to wait.
    ///
    /// @param failures in a row, with the one just now
    public Duration after(int failures) {
        var doublings = Math.min(Math.max(0, failures - 1), MAX_DOUBLINGS);
        var factor = 1L << doublings;
        var tooLong = longest.dividedBy(factor).compareTo(first) < 0;
        return tooLong ? longest : first.multipliedBy(factor);
    }
}
