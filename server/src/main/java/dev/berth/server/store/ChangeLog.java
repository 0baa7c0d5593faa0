package dev.berth.server.store;

import java.util.Arrays;

/// Some changes in the order of their revisions, that never change themselves.
///
/// Logs that grew from each other share one array, of which each sees a part: what is appended lies
/// behind the parts that readers have. Therefore only the newest log may be appended to, and only
/// by one thread at a time.
final class ChangeLog {

    static final ChangeLog EMPTY = new ChangeLog(new Change[0], 0, 0);

    /// Room for growth, and dead weight, that even an empty log may have.
    private static final int SLACK = 16;

    private final Change[] array;
    private final int from;
    private final int to;

    private ChangeLog(Change[] array, int from, int to) {
        this.array = array;
        this.from = from;
        this.to = to;
    }

    int size() {
        return to - from;
    }

    /// The change at that place, from 0 for the oldest.
    Change at(int index) {
        return array[from + index];
    }

    /// The place of the first change after that revision; the size when there is none.
    int firstAfter(long revision) {
        var low = from;
        var high = to;
        while (low < high) {
            var middle = (low + high) >>> 1;
            if (array[middle].revision() <= revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - from;
    }

    ChangeLog with(Change change) {
        var roomy = to < array.length ? this : moved();
        roomy.array[roomy.to] = change;
        return new ChangeLog(roomy.array, roomy.from, roomy.to + 1);
    }

    /// All but the oldest. What is forgotten must not be held for long, so the rest moves when much
    /// is.
    ChangeLog withoutFirst() {
        var rest = new ChangeLog(array, from + 1, to);
        return rest.from > slack() ? rest.moved() : rest;
    }

    private ChangeLog moved() {
        var copy = Arrays.copyOf(Arrays.copyOfRange(array, from, to), size() + slack());
        return new ChangeLog(copy, 0, size());
    }

    private int slack() {
        return size() / 4 + SLACK;
    }
}
