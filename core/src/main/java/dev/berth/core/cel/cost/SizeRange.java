package dev.berth.core.cel.cost;

/// Range of sizes of a value: characters of a string, elements of a list or map.
///
/// Bounds saturate at `Long.MAX_VALUE`, which stands for "unbounded".
public record SizeRange(long min, long max) {

    public static final SizeRange UNBOUNDED = new SizeRange(0, Long.MAX_VALUE);

    public static SizeRange exactly(long size) {
        return new SizeRange(size, size);
    }

    public SizeRange plus(SizeRange other) {
        return new SizeRange(CostRange.add(min, other.min), CostRange.add(max, other.max));
    }

    public SizeRange times(SizeRange other) {
        return new SizeRange(
                CostRange.multiply(min, other.min), CostRange.multiply(max, other.max));
    }

    /// The smallest range that contains both.
    public SizeRange union(SizeRange other) {
        return new SizeRange(Math.min(min, other.min), Math.max(max, other.max));
    }

    /// The cost of scanning a value of this size at `perElement`, rounded up.
    public CostRange times(double perElement) {
        return new CostRange(CostRange.scale(min, perElement), CostRange.scale(max, perElement));
    }

    public CostRange times(CostRange perElement) {
        return new CostRange(
                CostRange.multiply(min, perElement.min()),
                CostRange.multiply(max, perElement.max()));
    }
}
