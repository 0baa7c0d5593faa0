package dev.berth.core.place.pack;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Worth of remaining capacity by the sizes of requested shares.
class SharePricesTest {

    @Test
    void aRestThatNoShareFillsIsLost() {
        var prices = SharePrices.of(1000, new long[] {700}, new long[] {1});

        assertThat(prices.cost(1000, 700)).isEqualTo(1);
    }

    @Test
    void rareSmallSharesAreFreeBecauseTheyFitBesideTheLargeOnes() {
        var prices = SharePrices.of(1000, new long[] {300, 700}, new long[] {1, 9});

        assertThat(prices.cost(300, 300)).isZero();
        assertThat(prices.cost(1000, 700)).isEqualTo(1);
    }

    @Test
    void twoHalvesAreWorthOneDevice() {
        var prices = SharePrices.of(1000, new long[] {500}, new long[] {1});

        assertThat(prices.cost(1000, 500)).isEqualTo(0.5);
        assertThat(prices.cost(500, 500)).isEqualTo(0.5);
    }

    @Test
    void amountsThatHaveNoLargeCommonUnitArePricedApproximately() {
        var prices = SharePrices.of(1_000_003, new long[] {500_001}, new long[] {1});

        assertThat(prices.cost(1_000_003, 500_001)).isBetween(0.4, 1.0);
    }
}
