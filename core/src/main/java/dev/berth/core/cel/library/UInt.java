package dev.berth.core.cel.library;

/// An unsigned 64-bit integer: CEL's `uint`.
///
/// @param bits the number, read as unsigned
public record UInt(long bits) implements Comparable<UInt> {

    public static final UInt ZERO = new UInt(0);

    /// True when the number is above `Long.MAX_VALUE`, and so is no CEL `int`.
    public boolean exceedsInt() {
        return bits < 0;
    }

    public double toDouble() {
        // Halve with a sticky lowest bit, so that rounding is the same as for the whole number.
        return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
    }

    @Override
    public int compareTo(UInt other) {
        return Long.compareUnsigned(bits, other.bits);
    }

    @Override
    public String toString() {
        return Long.toUnsignedString(bits);
    }
}
