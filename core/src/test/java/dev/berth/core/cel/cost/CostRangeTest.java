package dev.berth.core.cel.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostRangeTest {

    @Test
    void fractionsAreRoundedUp() {
        assertThat(new SizeRange(0, 63).times(0.1)).isEqualTo(new CostRange(0, 7));
        assertThat(SizeRange.exactly(10).times(0.1)).isEqualTo(CostRange.ONE);
    }

    @Test
    void fractionOfUnboundedEqualsUpstream() {
        assertThat(SizeRange.UNBOUNDED.times(0.1))
                .isEqualTo(new CostRange(0, 1_844_674_407_370_955_264L));
        assertThat(SizeRange.UNBOUNDED.times(1.0)).isEqualTo(new CostRange(0, Long.MAX_VALUE));
    }

    @Test
    void overflowStaysUnbounded() {
        var huge = CostRange.exactly(Long.MAX_VALUE - 1);
        assertThat(huge.plus(CostRange.exactly(2))).isEqualTo(CostRange.exactly(Long.MAX_VALUE));
        assertThat(huge.times(CostRange.exactly(2))).isEqualTo(CostRange.exactly(Long.MAX_VALUE));
        assertThat(huge.times(CostRange.ZERO)).isEqualTo(CostRange.ZERO);
    }

    @Test
    void unionContainsBoth() {
        assertThat(new CostRange(1, 5).union(new CostRange(3, 9))).isEqualTo(new CostRange(1, 9));
        assertThat(new SizeRange(4, 5).union(new SizeRange(3, 4))).isEqualTo(new SizeRange(3, 5));
    }
}
