package dev.berth.core.cel.cost;

/// Range of costs of an expression, in the units of Kubernetes' cost model.
///
/// Bounds saturate at `Long.MAX_VALUE`, which stands for "unbounded".
public record CostRange(long min, long max) {

    public static final CostRange ZERO = new CostRange(0, 0);
    public static final CostRange ONE = new CostRange(1, 1);

    public static CostRange exactly(long cost) {
        return new CostRange(cost, cost);
    }

    public CostRange plus(CostRange other) {
        return new CostRange(add(min, other.min), add(max, other.max));
    }

    public CostRange times(CostRange other) {
        return new CostRange(multiply(min, other.min), multiply(max, other.max));
    }

    public CostRange times(double factor) {
        return new CostRange(scale(min, factor), scale(max, factor));
    }

    /// The smallest range that contains both.
    public CostRange union(CostRange other) {
        return new CostRange(Math.min(min, other.min), Math.max(max, other.max));
    }

    static long add(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }

    static long multiply(long a, long b) {
        if (a == 0 || b == 0) {
            return 0;
        }
        return a > Long.MAX_VALUE / b ? Long.MAX_VALUE : a * b;
    }

    static long scale(long size, double factor) {
        // Upstream counts up to 2^64 - 1. "Unbounded" stands for that value, so that a fraction of
        // it equals the number that upstream reports; values that do not fit stay unbounded.
        var value = size == Long.MAX_VALUE ? 0x1p64 : (double) size;
        return (long) Math.ceil(value * factor);
    }
}
