package dev.berth.core.cel.library;

/// An unsigned 64-bit integer: CEL's `uint`.
///
/// @param bits the number as unsigned 64 bits
public record UInt(long bits) implements Comparable<UInt> {

    public static final UInt ZERO = new UInt(0);

    /// Whether the number exceeds `Long.MAX_VALUE`, and so is not a CEL `int`.
    public boolean exceedsInt() {
        return bits < 0;
    }

    public double toDouble() {
        // Halves with a sticky lowest bit, so that rounding equals that of the exact number.
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
