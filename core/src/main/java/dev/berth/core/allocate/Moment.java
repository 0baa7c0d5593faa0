package dev.berth.core.allocate;

import java.util.Arrays;

/// A place in the search and all that was taken there, to be recognised when met again.
@SuppressWarnings("ArrayRecordComponent") // equality below looks into the array
record Moment(int request, int taken, int from, long[] numbers) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Moment that
                && request == that.request
                && taken == that.taken
                && from == that.from
                && Arrays.equals(numbers, that.numbers);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(numbers) * 31 + request * 1009 + taken * 31 + from;
    }
}
