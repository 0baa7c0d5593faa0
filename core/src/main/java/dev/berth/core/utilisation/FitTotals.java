package dev.berth.core.utilisation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The sum of what is left of all devices of one kind. From it follows how many requests would fit
/// if free devices were together.
final class FitTotals {

    private static final double TOLERANCE = 1e-9;

    /// Devices that can hold the allocations of each other.
    ///
    /// @param content what distinguishes the kind
    /// @param needs what one allocation consumes of each amount
    record Kind(Object content, List<Double> needs) {

        /// Devices without counters and shares.
        static final Kind WHOLE_DEVICE = new Kind("", List.of(1.0));
    }

    private final Map<Kind, double[]> left = new HashMap<>();
    private final Map<Kind, Long> limits = new HashMap<>();

    /// Adds a device.
    ///
    /// @param amounts what is left of each amount
    /// @param limit how many allocations the device has room for when it is free
    void add(Kind kind, double[] amounts, long limit) {
        add(kind, amounts, limit, 1);
    }

    private void add(Kind kind, double[] amounts, long limit, long times) {
        limits.merge(kind, product(limit, times), FitTotals::sum);
        var sums = left.computeIfAbsent(kind, _ -> new double[amounts.length]);
        for (var i = 0; i < amounts.length; i++) {
            sums[i] += Math.max(0, amounts[i]) * times;
        }
    }

    /// Adds the totals of equal nodes.
    ///
    /// @param times number of these nodes
    void add(FitTotals other, long times) {
        other.left.forEach(
                (kind, amounts) -> add(kind, amounts, other.limits.getOrDefault(kind, 0L), times));
    }

    /// The number of single devices that could be allocated if what is left were together.
    long allocations() {
        var sum = 0L;
        for (var entry : left.entrySet()) {
            var most = limits.getOrDefault(entry.getKey(), 0L);
            for (var i = 0; i < entry.getValue().length; i++) {
                var need = entry.getKey().needs.get(i);
                if (need > 0) {
                    var fitting = Math.floor(entry.getValue()[i] / need + TOLERANCE);
                    most = Math.min(most, (long) fitting);
                }
            }
            sum = sum(sum, most);
        }
        return sum;
    }

    /// A count times a number of nodes; [Fit#UNLIMITED] when the count is.
    static long product(long count, long times) {
        return count == Fit.UNLIMITED ? count : count * times;
    }

    /// The sum of two counts; [Fit#UNLIMITED] when one of them is.
    static long sum(long one, long other) {
        return one > Fit.UNLIMITED - other ? Fit.UNLIMITED : one + other;
    }
}
