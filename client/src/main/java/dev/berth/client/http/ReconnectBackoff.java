package dev.berth.client.http;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Exponential back-off with jitter: the delay doubles with every failure up to a limit, times a
/// random factor of up to two, so that clients that lost a server do not reconnect all at once.
final class ReconnectBackoff {

    private static final int MAX_DOUBLINGS = 30;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private int failures;

    ReconnectBackoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    Duration next() {
        var doubled = first.multipliedBy(1L << Math.min(failures++, MAX_DOUBLINGS));
        var bounded = doubled.compareTo(longest) < 0 ? doubled : longest;
        return bounded.plusMillis((long) (bounded.toMillis() * random.nextDouble()));
    }

    void reset() {
        failures = 0;
    }
}
