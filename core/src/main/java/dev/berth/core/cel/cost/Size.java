package dev.berth.core.cel.cost;

/// The range of sizes that a value may have: characters of a string, elements of a list or map.
///
/// Bounds saturate at `Long.MAX_VALUE`, which stands for "unbounded".
public record Size(long min, long max) {

    public static final Size UNBOUNDED = new Size(0, Long.MAX_VALUE);

    public static Size exactly(long size) {
        return new Size(size, size);
    }

    public Size plus(Size other) {
        return new Size(Cost.add(min, other.min), Cost.add(max, other.max));
    }

    public Size times(Size other) {
        return new Size(Cost.multiply(min, other.min), Cost.multiply(max, other.max));
    }

    /// The smallest range that holds both.
    public Size union(Size other) {
        return new Size(Math.min(min, other.min), Math.max(max, other.max));
    }

    /// The cost of walking over a value of this size at `perElement`, rounded up.
    public Cost times(double perElement) {
        return new Cost(Cost.scale(min, perElement), Cost.scale(max, perElement));
    }

    public Cost times(Cost perElement) {
        return new Cost(Cost.multiply(min, perElement.min()), Cost.multiply(max, perElement.max()));
    }
}
