package dev.berth.node.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestoreLimitTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final RestoreLimit limit = new RestoreLimit();

    @Test
    void aFewRestorationsAreImmediateAndLaterOnesBackOff() {
        for (var i = 0; i < 6; i++) {
            assertThat(limit.delay("a", START)).isZero();
            limit.wrote("a", START);
        }
        assertThat(limit.delay("a", START)).isEqualTo(Duration.ofSeconds(1));
        var later = START.plusSeconds(1);
        assertThat(limit.delay("a", later)).isZero();
        limit.wrote("a", later);
        assertThat(limit.delay("a", later)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void newDevicesAndAQuietPeriodResetTheBackoff() {
        for (var i = 0; i < 7; i++) {
            limit.wrote("a", START);
        }
        assertThat(limit.delay("b", START)).isZero();
        for (var i = 0; i < 7; i++) {
            limit.wrote("b", START);
        }
        assertThat(limit.delay("b", START)).isPositive();
        assertThat(limit.delay("b", START.plus(Duration.ofMinutes(3)))).isZero();
    }
}
