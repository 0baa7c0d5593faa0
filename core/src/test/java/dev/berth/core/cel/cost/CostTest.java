package dev.berth.core.cel.cost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CostTest {

    @Test
    void fractionsAreRoundedUp() {
        assertThat(new Size(0, 63).times(0.1)).isEqualTo(new Cost(0, 7));
        assertThat(Size.exactly(10).times(0.1)).isEqualTo(Cost.ONE);
    }

    @Test
    void aFractionOfTheUnboundedIsTheNumberThatUpstreamTells() {
        assertThat(Size.UNBOUNDED.times(0.1)).isEqualTo(new Cost(0, 1_844_674_407_370_955_264L));
        assertThat(Size.UNBOUNDED.times(1.0)).isEqualTo(new Cost(0, Long.MAX_VALUE));
    }

    @Test
    void whatIsTooLargeStaysUnbounded() {
        var huge = Cost.exactly(Long.MAX_VALUE - 1);
        assertThat(huge.plus(Cost.exactly(2))).isEqualTo(Cost.exactly(Long.MAX_VALUE));
        assertThat(huge.times(Cost.exactly(2))).isEqualTo(Cost.exactly(Long.MAX_VALUE));
        assertThat(huge.times(Cost.ZERO)).isEqualTo(Cost.ZERO);
    }

    @Test
    void aUnionHoldsBoth() {
        assertThat(new Cost(1, 5).union(new Cost(3, 9))).isEqualTo(new Cost(1, 9));
        assertThat(new Size(4, 5).union(new Size(3, 4))).isEqualTo(new Size(3, 5));
    }
}
