package dev.berth.app.bench.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BindingRatesTest {

    private static final long SECOND = 1_000_000_000;

    /// Times of ten bindings per second.
    private static List<Long> ten(int pods) {
        return LongStream.range(0, pods).map(i -> i * SECOND / 10).boxed().toList();
    }

    @Test
    void aStallAtTheEndCounts() {
        var rates = BindingRates.of(ten(40), 10 * SECOND);

        assertThat(rates.seconds()).isEqualTo(10);
        assertThat(rates.average()).isEqualTo(4);
        assertThat(rates.spread()).contains(new BindingRates.Spread(0, 0));
        assertThat(rates.bySecond()).containsExactly(10, 10, 10, 10, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void timeInWhichNothingWasBoundCounts() {
        assertThat(BindingRates.of(List.of(), 2 * SECOND))
                .isEqualTo(
                        new BindingRates(
                                0,
                                2,
                                0,
                                Optional.of(new BindingRates.Spread(0, 0)),
                                List.of(0, 0)));
    }

    @Test
    void aSteadyFlowHasOneRate() {
        assertThat(BindingRates.of(ten(50), 5 * SECOND))
                .isEqualTo(
                        new BindingRates(
                                50,
                                5,
                                10,
                                Optional.of(new BindingRates.Spread(10, 10)),
                                List.of(10, 10, 10, 10, 10)));
    }

    @Test
    void aStallBetweenTwoSecondsCountsInFull() {
        var times = ten(40).stream().filter(at -> at < 1.5 * SECOND || at >= 2.5 * SECOND).toList();
        var rates = BindingRates.of(times, 4 * SECOND);

        assertThat(rates.bySecond()).containsExactly(10, 5, 5, 10);
        assertThat(rates.spread().orElseThrow().slow()).isZero();
    }

    @Test
    void lessThanASecondHasAnAverageOnly() {
        var rates = BindingRates.of(ten(6), SECOND / 2);

        assertThat(rates.average()).isEqualTo(12);
        assertThat(rates.spread()).isEmpty();
        assertThat(rates.bySecond()).containsExactly(6);
    }

    @Test
    void theSpreadOfAShortBurstIsOfItsSeconds() {
        var rates = BindingRates.of(ten(15), SECOND + SECOND / 2);

        assertThat(rates.average()).isEqualTo(10);
        assertThat(rates.spread()).contains(new BindingRates.Spread(10, 10));
        assertThat(rates.bySecond()).containsExactly(10, 5);
    }
}
