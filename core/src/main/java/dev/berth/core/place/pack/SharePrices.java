package dev.berth.core.place.pack;

import java.util.Arrays;

/// Worth of the remaining capacity of a shareable device, from the sizes of requested shares.
///
/// Each size has a price: the dual of the least number of devices that hold shares in the observed
/// mix. No device can be filled with shares worth more than one device. A remaining capacity is
/// worth the most valuable shares that fit into it: so a share of 810 of 1000 leaves 190 that are
/// worth nothing when no share is that small.
///
/// The prices are found by the subgradient method, as in `core.allocate.bound.PackingSum`, with a
/// knapsack over capacity cells as the subproblem (the dual of Gilmore and Gomory's cutting stock
/// problem). The number of rounds is fixed, so equal mixes have equal prices.
final class SharePrices {

    private static final int ROUNDS = 300;
    private static final int MAX_CELLS = 1000;
    private static final double FIRST_STEP = 0.3;
    private static final double STEP_DECAY = 0.15;
    private static final double EPSILON = 1e-12;

    /// Prices are multiples of one part in this many: small changes of the mix change no price.
    private static final double PRICE_STEPS = 20;

    private final long unit;
    private final double[] worth;

    private SharePrices(long unit, double[] worth) {
        this.unit = unit;
        this.worth = worth;
    }

    /// Prices of a mix.
    ///
    /// @param capacity the capacity of a device
    /// @param sizes different sizes, each at most the capacity
    /// @param weights how frequent each size is
    static SharePrices of(long capacity, long[] sizes, long[] weights) {
        var unit = capacity;
        for (var size : sizes) {
            unit = gcd(unit, size);
        }
        unit = Math.max(unit, (capacity + MAX_CELLS - 1) / MAX_CELLS);
        var cells = (int) (capacity / unit);
        var sizesInCells = new int[sizes.length];
        for (var i = 0; i < sizes.length; i++) {
            sizesInCells[i] = Math.clamp(Math.round((double) sizes[i] / unit), 1, cells);
        }
        var knapsack = new Knapsack(sizesInCells, cells);
        var prices = prices(knapsack, weights);
        for (var i = 0; i < prices.length; i++) {
            prices[i] = Math.round(prices[i] * PRICE_STEPS) / PRICE_STEPS;
        }
        knapsack.fill(prices);
        var worth = knapsack.worth.clone();
        var whole = worth[cells];
        for (var i = 0; i < worth.length && whole > 0; i++) {
            worth[i] /= whole;
        }
        return new SharePrices(unit, worth);
    }

    private static long gcd(long a, long b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /// Maximises the value of the mix, relative to the value of the best filling of a device.
    private static double[] prices(Knapsack knapsack, long[] weights) {
        var sum = (double) Arrays.stream(weights).sum();
        var prices = new double[weights.length];
        Arrays.setAll(prices, i -> (double) knapsack.sizes[i] / (knapsack.worth.length - 1));
        var best = prices.clone();
        var bestValue = 0.0;
        for (var round = 0; round < ROUNDS; round++) {
            knapsack.fill(prices);
            var most = knapsack.worth[knapsack.worth.length - 1];
            var value = 0.0;
            for (var i = 0; i < prices.length; i++) {
                value += weights[i] / sum * prices[i];
            }
            if (value / most > bestValue + EPSILON) {
                bestValue = value / most;
                best = prices.clone();
                scale(best, most);
            }
            if (!adjust(prices, weights, sum, value, knapsack.best(), most, round)) {
                return best;
            }
        }
        return best;
    }

    /// One step along the gradient of log(value) - log(most); false where it is zero.
    private static boolean adjust(
            double[] prices,
            long[] weights,
            double sum,
            double value,
            int[] filling,
            double most,
            int round) {
        var gradient = new double[prices.length];
        var squares = 0.0;
        for (var i = 0; i < prices.length; i++) {
            gradient[i] = weights[i] / sum / value - filling[i] / most;
            squares += gradient[i] * gradient[i];
        }
        if (squares < EPSILON) {
            return false;
        }
        var step = FIRST_STEP / Math.sqrt(squares) / (1 + round * STEP_DECAY);
        var largest = 0.0;
        for (var i = 0; i < prices.length; i++) {
            prices[i] = Math.max(0, prices[i] + step * gradient[i]);
            largest = Math.max(largest, prices[i]);
        }
        if (largest <= 0) {
            return false;
        }
        scale(prices, largest);
        return true;
    }

    private static void scale(double[] prices, double divisor) {
        for (var i = 0; i < prices.length; i++) {
            prices[i] /= divisor;
        }
    }

    /// The loss of worth when a share is taken of a remaining capacity, from zero to one device.
    double cost(long left, long taken) {
        return worth(left) - worth(left - taken);
    }

    private double worth(long left) {
        return worth[(int) Math.clamp(left / unit, 0L, worth.length - 1)];
    }

    /// The most valuable shares that fit into each number of cells.
    private static final class Knapsack {

        private final int[] sizes;
        private final double[] worth;
        private final int[] last;

        Knapsack(int[] sizes, int cells) {
            this.sizes = sizes;
            this.worth = new double[cells + 1];
            this.last = new int[cells + 1];
        }

        void fill(double[] prices) {
            for (var cell = 1; cell < worth.length; cell++) {
                worth[cell] = worth[cell - 1];
                last[cell] = -1;
                for (var i = 0; i < sizes.length; i++) {
                    if (sizes[i] <= cell
                            && worth[cell - sizes[i]] + prices[i] > worth[cell] + EPSILON) {
                        worth[cell] = worth[cell - sizes[i]] + prices[i];
                        last[cell] = i;
                    }
                }
            }
        }

        /// The number of shares of each size in the most valuable filling of a device.
        int[] best() {
            var counts = new int[sizes.length];
            var cell = worth.length - 1;
            while (cell > 0) {
                if (last[cell] < 0) {
                    cell--;
                } else {
                    counts[last[cell]]++;
                    cell -= sizes[last[cell]];
                }
            }
            return counts;
        }
    }
}
