package dev.berth.model.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void delaysDoubleAndAreBounded() {
        assertThat(Backoff.DEFAULT.after(0)).isEqualTo(Duration.ofMillis(5));
        assertThat(Backoff.DEFAULT.after(1)).isEqualTo(Duration.ofMillis(5));
        assertThat(Backoff.DEFAULT.after(2)).isEqualTo(Duration.ofMillis(10));
        assertThat(Backoff.DEFAULT.after(18)).isEqualTo(Duration.ofMillis(5L << 17));
        assertThat(Backoff.DEFAULT.after(19)).isEqualTo(Duration.ofSeconds(1000));
        assertThat(Backoff.DEFAULT.after(1_000_000)).isEqualTo(Duration.ofSeconds(1000));
    }

    @Test
    void equalBoundsGiveAConstantDelay() {
        var constant = new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10));
        assertThat(constant.after(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(constant.after(7)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void jitterAddsLessThanTheDelayItself() {
        var backoff = new Backoff(Duration.ofMillis(100), Duration.ofMillis(400));
        var random = new Random(1);
        for (var i = 0; i < 1000; i++) {
            assertThat(backoff.afterWithJitter(2, random))
                    .isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
            assertThat(backoff.afterWithJitter(9, random))
                    .isBetween(Duration.ofMillis(400), Duration.ofMillis(800));
        }
    }
}
