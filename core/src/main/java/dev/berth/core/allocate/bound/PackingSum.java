package dev.berth.core.allocate.bound;

import dev.berth.core.allocate.state.LongArrayKey;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Decides whether components can together serve every demand class, choosing one division of each
/// component.
///
/// First a Lagrangian bound: each class has a price, and each component takes its most valuable
/// division. If the total value is less than the value of the demand, the demand is infeasible,
/// whatever the prices are. The subgradient method raises prices of classes with a deficit and
/// lowers those with a surplus (this dual is as strong as the configuration bound of Gilmore and
/// Gomory for bin packing). What the bound leaves open is decided by a search with a node limit.
final class PackingSum {

    private static final int MAX_ROUNDS = 40;
    private static final int MAX_NODES = 300;
    private static final double ROUNDING = 1e-6;

    private final List<List<int[]>> components;
    private final double[] prices;
    private final int[][] maxAfter;
    private final double[] valueAfter;
    private final Set<LongArrayKey> failed = new HashSet<>();
    private final ProofBudget proofBudget;
    private int nodes;

    /// @param components the divisions of each component, equal components side by side
    /// @param prices initial price of one device of each class
    PackingSum(List<List<int[]>> components, double[] prices, ProofBudget proofBudget) {
        this.components = components;
        this.prices = prices;
        this.maxAfter = new int[components.size() + 1][prices.length];
        this.valueAfter = new double[components.size() + 1];
        this.proofBudget = proofBudget;
    }

    /// Whether the demand can be served. True also when the limits are reached first.
    boolean covers(int[] need) {
        for (var c = 0; c < prices.length; c++) {
            prices[c] = need[c] > 0 ? Math.max(prices[c], ROUNDING) : 0;
        }
        var supply = new int[need.length];
        for (var round = 0; round < MAX_ROUNDS; round++) {
            var value = chooseDivisions(supply);
            var missing = value(need) - value;
            if (missing > ROUNDING * (1 + value)) {
                return false;
            }
            if (!adjust(need, supply, value / 50 - missing)) {
                return true;
            }
        }
        computeSuffixBounds();
        var found = covers(0, need) || nodes > MAX_NODES;
        proofBudget.spend((long) nodes * need.length);
        return found;
    }

    /// Chooses the most valuable division of every component; returns their total value.
    private double chooseDivisions(int[] supply) {
        Arrays.fill(supply, 0);
        var total = 0.0;
        var work = 0;
        for (var i = 0; i < components.size(); ) {
            var divisions = components.get(i);
            var same = 1;
            while (i + same < components.size() && isSame(components.get(i + same), divisions)) {
                same++;
            }
            var best = divisions.getFirst();
            for (var division : divisions) {
                best = value(division) > value(best) ? division : best;
            }
            for (var c = 0; c < supply.length; c++) {
                supply[c] += same * best[c];
            }
            total += same * value(best);
            work += divisions.size();
            i += same;
        }
        proofBudget.spend(work / 2);
        return total;
    }

    @SuppressWarnings("ReferenceEquality") // equal components are one object
    private static boolean isSame(List<int[]> a, List<int[]> b) {
        return a == b;
    }

    private double value(int[] counts) {
        var value = 0.0;
        for (var c = 0; c < counts.length; c++) {
            value += Math.max(0, counts[c]) * prices[c];
        }
        return value;
    }

    /// One subgradient step; false when the supply covers the demand.
    private boolean adjust(int[] need, int[] supply, double distance) {
        var squares = 0.0;
        var enough = true;
        for (var c = 0; c < need.length; c++) {
            var deficit = Math.max(0, need[c]) - supply[c];
            enough &= deficit <= 0;
            squares += need[c] > 0 ? (double) deficit * deficit : 0;
        }
        for (var c = 0; c < need.length && !enough; c++) {
            var deficit = need[c] - supply[c];
            prices[c] = need[c] > 0 ? Math.max(0, prices[c] + distance / squares * deficit) : 0;
        }
        return !enough;
    }

    private void computeSuffixBounds() {
        for (var i = components.size() - 1; i >= 0; i--) {
            var best = 0.0;
            for (var division : components.get(i)) {
                for (var c = 0; c < prices.length; c++) {
                    maxAfter[i][c] = Math.max(maxAfter[i][c], division[c]);
                }
                best = Math.max(best, value(division));
            }
            for (var c = 0; c < prices.length; c++) {
                maxAfter[i][c] += maxAfter[i + 1][c];
            }
            valueAfter[i] = valueAfter[i + 1] + best;
        }
    }

    private boolean covers(int component, int[] need) {
        var open = false;
        for (var c = 0; c < need.length; c++) {
            if (need[c] > maxAfter[component][c]) {
                return false;
            }
            open |= need[c] > 0;
        }
        if (!open) {
            return true;
        }
        if (value(need) > valueAfter[component] * (1 + ROUNDING) + ROUNDING
                || ++nodes > MAX_NODES) {
            return false;
        }
        var key = key(component, need);
        if (failed.contains(key)) {
            return false;
        }
        for (var division : components.get(component)) {
            var rest = need.clone();
            for (var c = 0; c < rest.length; c++) {
                rest[c] = Math.max(0, rest[c] - division[c]);
            }
            if (covers(component + 1, rest)) {
                return true;
            }
        }
        failed.add(key);
        return false;
    }

    private static LongArrayKey key(int component, int[] need) {
        var numbers = new long[need.length + 1];
        numbers[0] = component;
        for (var c = 0; c < need.length; c++) {
            numbers[c + 1] = Math.max(0, need[c]);
        }
        return new LongArrayKey(numbers);
    }
}
