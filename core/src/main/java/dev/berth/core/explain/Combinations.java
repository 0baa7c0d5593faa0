package dev.berth.core.explain;

import java.util.Iterator;
import java.util.NoSuchElementException;

/// All ways to choose some of the numbers from zero, in the order of a dictionary.
final class Combinations implements Iterator<int[]> {

    private final int from;
    private final int[] next;
    private boolean isOver;

    /// @param from how many numbers there are
    /// @param size how many of them are chosen
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
