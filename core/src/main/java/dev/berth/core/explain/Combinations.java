package dev.berth.core.explain;

import java.util.Iterator;
import java.util.NoSuchElementException;

/// Iterates over all subsets of a fixed size of the numbers 0 to `from - 1`, in lexicographic
/// order.
final class Combinations implements Iterator<int[]> {

    private final int from;
    private final int[] next;
    private boolean isOver;

    /// @param from size of the whole set
    /// @param size size of each subset
    Combinations(int from, int size) {
        this.from = from;
        this.next = new int[size];
        for (var i = 0; i < size; i++) {
            next[i] = i;
        }
        this.isOver = size > from;
    }

    @Override
    public boolean hasNext() {
        return !isOver;
    }

    @Override
    public int[] next() {
        if (isOver) {
            throw new NoSuchElementException();
        }
        var current = next.clone();
        advance();
        return current;
    }

    private void advance() {
        var i = next.length - 1;
        while (i >= 0 && next[i] == from - next.length + i) {
            i--;
        }
        if (i < 0) {
            isOver = true;
            return;
        }
        next[i]++;
        for (var j = i + 1; j < next.length; j++) {
            next[j] = next[j - 1] + 1;
        }
    }
}
