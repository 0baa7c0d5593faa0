package dev.berth.core.allocate.state;

import java.util.Arrays;

/// A map key of `long` values, compared by content.
@SuppressWarnings("ArrayRecordComponent") // equals below compares the content
public record LongArrayKey(long[] numbers) {
    @Override
    public boolean equals(Object other) {
        return other instanceof LongArrayKey that && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers);
    }
}
