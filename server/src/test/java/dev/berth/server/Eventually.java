package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// Waiting for what others do.
public final class Eventually {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private Eventually() {}

    /// Returns as soon as it holds, and fails when it never does.
    public static void holds(BooleanSupplier condition) throws InterruptedException {
        var end = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
            Thread.sleep(PAUSE);
        }
        assertThat(condition.getAsBoolean()).as("it happens within %s", PATIENCE).isTrue();
    }
}
