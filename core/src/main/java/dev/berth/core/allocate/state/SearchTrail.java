package dev.berth.core.allocate.state;

import java.util.Arrays;

/// The mutable state of a search: one array of numbers with an undo log.
///
/// [#set] is the only way to change a number and [#undoTo] the only way to restore it. No caller
/// releases by hand what a check has taken, so no release can be forgotten.
public final class SearchTrail {

    private final long[] numbers;
    private int[] changed = new int[64];
    private long[] before = new long[64];
    private int length;

    SearchTrail(int size) {
        numbers = new long[size];
    }

    public long at(int index) {
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

    /// The current position in the undo log, for [#undoTo].
    public int mark() {
        return length;
    }

    public void undoTo(int mark) {
        while (length > mark) {
            length--;
            numbers[changed[length]] = before[length];
        }
    }

    /// A copy of all numbers, as the key of a visited state.
    public long[] copy() {
        return numbers.clone();
    }
}
