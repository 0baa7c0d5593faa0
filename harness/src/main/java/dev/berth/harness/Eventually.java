package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// Polls for conditions that become true asynchronously.
public final class Eventually {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Eventually() {}

    /// Returns as soon as the condition is true; fails after a timeout.
    public static void holds(BooleanSupplier condition) throws InterruptedException {
        var end = Instant.now().plus(TIMEOUT);
        while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
            Thread.sleep(INTERVAL);
        }
        assertThat(condition.getAsBoolean()).as("it happens within %s", TIMEOUT).isTrue();
    }
}
