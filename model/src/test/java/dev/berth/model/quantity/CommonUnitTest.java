package dev.berth.model.quantity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CommonUnitTest {

    @Test
    void amountsAreCountedInTheLargestUnitThatFitsAll() {
        var unit = unitOf("40Gi", "10Gi", "5Gi", "0");

        assertThat(unit.count(Quantity.parse("40Gi"))).contains(8L);
        assertThat(unit.count(Quantity.parse("-5Gi"))).contains(-1L);
        assertThat(unit.count(Quantity.parse("0"))).contains(0L);
        assertThat(unit.count(Quantity.parse("6Gi"))).isEmpty();
        assertThat(unit.times(3)).isEqualTo(Quantity.parse("15Gi"));
    }

    @Test
    void fractionsAndAmountsBeyond64BitsAreExact() {
        var huge = Quantity.parse("36893488147419103232");

        assertThat(unitOf("1", "250m").count(Quantity.parse("1"))).contains(4L);
        assertThat(unitOf("36893488147419103232", "18446744073709551616").count(huge)).contains(2L);
    }

    @Test
    void inexactCountsAreRejected() {
        assertThat(unitOf("1E", "1n").count(Quantity.parse("1E"))).isEmpty();
    }

    private static CommonUnit unitOf(String... quantities) {
        var unit = CommonUnit.NONE;
        for (var quantity : quantities) {
            unit = unit.including(Quantity.parse(quantity));
        }
        return unit;
    }
}
