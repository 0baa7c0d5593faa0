package dev.berth.core.allocate;

import java.util.Arrays;

/// Everything that a search changes: one array of numbers, and what they were before.
///
/// There is one way to change a number and one way back. A check can take; none can give back by
/// hand, so nothing can be forgotten.
final class SearchTrail {

    private final long[] numbers;
    private int[] changed = new int[64];
    private long[] before = new long[64];
    private int length;

    SearchTrail(int size) {
        numbers = new long[size];
    }

    long at(int index) {
        return numbers[index];
    }

    void set(int index, long value) {
        if (numbers[index] == value) {
            return;
        }
        if (length == changed.length) {
            changed = Arrays.copyOf(changed, length * 2);
            before = Arrays.copyOf(before, length * 2);
        }
        changed[length] = index;
        before[length++] = numbers[index];
        numbers[index] = value;
    }

    /// Where we are now, to come back to.
    int mark() {
        return length;
    }

    void undoTo(int mark) {
        while (length > mark) {
            length--;
            numbers[changed[length]] = before[length];
        }
    }

    /// All numbers as they are, to recognise a state that was met before.
    long[] copy() {
        return numbers.clone();
    }
}
