package dev.berth.core.allocate;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Whether parts can give enough to every class together, one of its divisions each.
///
/// First by prices: when each part gives what is worth most and the sum is worth less than what is
/// wanted, there is not enough, whatever the prices are. Prices rise for what is missing and fall
/// for what is left over (the subgradient method for the Lagrangian dual, which is as strong as the
/// configuration bound of Gilmore and Gomory for bin packing). What prices leave open is tried,
/// within limits.
final class PackingSum {

    private static final int MAX_ROUNDS = 40;
    private static final int MAX_NODES = 300;
    private static final double ROUNDING = 1e-6;

    private final List<List<int[]>> parts;
    private final double[] prices;
    private final int[][] mostAfter;
    private final double[] worthAfter;
    private final Set<LongArrayKey> failed = new HashSet<>();
    private final ProofBudget effort;
    private int nodes;

    /// @param parts the divisions of each part, equal ones side by side
    /// @param prices what one device of each class is worth to begin with
    PackingSum(List<List<int[]>> parts, double[] prices, ProofBudget effort) {
        this.parts = parts;
        this.prices = prices;
        this.mostAfter = new int[parts.size() + 1][prices.length];
        this.worthAfter = new double[parts.size() + 1];
        this.effort = effort;
    }

    /// True also when it would take too long to find out.
    boolean covers(int[] need) {
        for (var c = 0; c < prices.length; c++) {
            prices[c] = need[c] > 0 ? Math.max(prices[c], ROUNDING) : 0;
        }
        var given = new int[need.length];
        for (var round = 0; round < MAX_ROUNDS; round++) {
            var worth = give(given);
            var missing = worth(need) - worth;
            if (missing > ROUNDING * (1 + worth)) {
                return false;
            }
            if (!adjust(need, given, worth / 50 - missing)) {
                return true;
            }
        }
        lookAhead();
        var found = covers(0, need) || nodes > MAX_NODES;
        effort.spend((long) nodes * need.length);
        return found;
    }

    /// Lets every part give what is worth most; returns what that is worth together.
    private double give(int[] given) {
        Arrays.fill(given, 0);
        var together = 0.0;
        var looks = 0;
        for (var i = 0; i < parts.size(); ) {
            var divisions = parts.get(i);
            var same = 1;
            while (i + same < parts.size() && isSame(parts.get(i + same), divisions)) {
                same++;
            }
            var best = divisions.getFirst();
            for (var division : divisions) {
                best = worth(division) > worth(best) ? division : best;
            }
            for (var c = 0; c < given.length; c++) {
                given[c] += same * best[c];
            }
            together += same * worth(best);
            looks += divisions.size();
            i += same;
        }
        effort.spend(looks / 2);
        return together;
    }

    @SuppressWarnings("ReferenceEquality") // equal parts are one object
    private static boolean isSame(List<int[]> a, List<int[]> b) {
        return a == b;
    }

    private double worth(int[] counts) {
        var worth = 0.0;
        for (var c = 0; c < counts.length; c++) {
            worth += Math.max(0, counts[c]) * prices[c];
        }
        return worth;
    }

    /// Moves prices towards what is missing; false when nothing is.
    private boolean adjust(int[] need, int[] given, double distance) {
        var squares = 0.0;
        var enough = true;
        for (var c = 0; c < need.length; c++) {
            var lack = Math.max(0, need[c]) - given[c];
            enough &= lack <= 0;
            squares += need[c] > 0 ? (double) lack * lack : 0;
        }
        for (var c = 0; c < need.length && !enough; c++) {
            var lack = need[c] - given[c];
            prices[c] = need[c] > 0 ? Math.max(0, prices[c] + distance / squares * lack) : 0;
        }
        return !enough;
    }

    private void lookAhead() {
        for (var i = parts.size() - 1; i >= 0; i--) {
            var worthiest = 0.0;
            for (var division : parts.get(i)) {
                for (var c = 0; c < prices.length; c++) {
                    mostAfter[i][c] = Math.max(mostAfter[i][c], division[c]);
                }
                worthiest = Math.max(worthiest, worth(division));
            }
            for (var c = 0; c < prices.length; c++) {
                mostAfter[i][c] += mostAfter[i + 1][c];
            }
            worthAfter[i] = worthAfter[i + 1] + worthiest;
        }
    }

    private boolean covers(int part, int[] need) {
        var open = false;
        for (var c = 0; c < need.length; c++) {
            if (need[c] > mostAfter[part][c]) {
                return false;
            }
            open |= need[c] > 0;
        }
        if (!open) {
            return true;
        }
        if (worth(need) > worthAfter[part] * (1 + ROUNDING) + ROUNDING || ++nodes > MAX_NODES) {
            return false;
        }
        var key = key(part, need);
        if (failed.contains(key)) {
            return false;
        }
        for (var division : parts.get(part)) {
            var rest = need.clone();
            for (var c = 0; c < rest.length; c++) {
                rest[c] = Math.max(0, rest[c] - division[c]);
            }
            if (covers(part + 1, rest)) {
                return true;
            }
        }
        failed.add(key);
        return false;
    }

    private static LongArrayKey key(int part, int[] need) {
        var numbers = new long[need.length + 1];
        numbers[0] = part;
        for (var c = 0; c < need.length; c++) {
            numbers[c + 1] = Math.max(0, need[c]);
        }
        return new LongArrayKey(numbers);
    }
}
