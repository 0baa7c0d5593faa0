package dev.berth.server.store;

import java.util.Arrays;

/// Immutable list of changes in revision order.
///
/// Logs derived from each other share one array, of which each sees a range. Appended changes lie
/// behind the ranges that readers hold. Therefore only the newest log may be appended to, and only
/// by one thread at a time.
final class ChangeLog {

    static final ChangeLog EMPTY = new ChangeLog(new Change[0], 0, 0);

    /// Minimum free capacity, and minimum number of removed changes before the array is copied.
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

    /// The change at an index; 0 is the oldest.
    Change at(int index) {
        return array[from + index];
    }

    /// Index of the first change after the revision; the size if there is none.
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
        var target = to < array.length ? this : copied();
        target.array[target.to] = change;
        return new ChangeLog(target.array, target.from, target.to + 1);
    }

    /// This log without its oldest change. Copies the array once many changes were removed, since a
    /// shared array keeps them reachable.
    ChangeLog withoutFirst() {
        var rest = new ChangeLog(array, from + 1, to);
        return rest.from > slack() ? rest.copied() : rest;
    }

    private ChangeLog copied() {
        var copy = Arrays.copyOf(Arrays.copyOfRange(array, from, to), size() + slack());
        return new ChangeLog(copy, 0, size());
    }

    private int slack() {
        return size() / 4 + SLACK;
    }
}
