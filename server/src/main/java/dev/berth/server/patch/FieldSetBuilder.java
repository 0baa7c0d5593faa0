package dev.berth.server.patch;

import java.util.Arrays;
import java.util.Comparator;

/// Builds a [FieldSet] from steps and their subtrees, in any order.
final class FieldSetBuilder {

    /// Maximum number of steps for insertion sort.
    private static final int INSERTION_SORT_MAX = 16;

    private PathStep[] steps;
    private FieldSet[] below;
    private int count;

    /// @param expected expected number of steps; more are allowed
    FieldSetBuilder(int expected) {
        steps = expected == 0 ? FieldSet.NO_STEPS : new PathStep[expected];
        below = expected == 0 ? FieldSet.NO_SETS : new FieldSet[expected];
    }

    /// Adds the subtree of a step, and the field of the step if that is a member.
    void add(PathStep step, FieldSet set) {
        if (set.isNothing()) {
            return;
        }
        if (count == steps.length) {
            var more = 2 * count + 2;
            steps = Arrays.copyOf(steps, more);
            below = Arrays.copyOf(below, more);
        }
        steps[count] = step;
        below[count++] = set;
    }

    /// Builds the set; the builder must not be used afterwards.
    ///
    /// @param member whether the field of the set's own step is a member
    FieldSet build(boolean member) {
        if (count > INSERTION_SORT_MAX) {
            mergeSort();
        } else {
            insertionSort();
        }
        mergeDuplicates();
        return FieldSet.of(member, steps, below, count);
    }

    private void insertionSort() {
        for (var next = 1; next < count; next++) {
            var step = steps[next];
            var set = below[next];
            var to = next;
            for (; to > 0 && steps[to - 1].compareTo(step) > 0; to--) {
                steps[to] = steps[to - 1];
                below[to] = below[to - 1];
            }
            steps[to] = step;
            below[to] = set;
        }
    }

    private record Branch(PathStep step, FieldSet below) {}

    private void mergeSort() {
        var branches = new Branch[count];
        for (var at = 0; at < count; at++) {
            branches[at] = new Branch(steps[at], below[at]);
        }
        Arrays.sort(branches, Comparator.comparing(Branch::step));
        for (var at = 0; at < count; at++) {
            steps[at] = branches[at].step;
            below[at] = branches[at].below;
        }
    }

    /// Merges equal steps, which are adjacent after sorting.
    private void mergeDuplicates() {
        var last = 0;
        for (var at = 1; at < count; at++) {
            if (steps[last].compareTo(steps[at]) == 0) {
                below[last] = below[last].union(below[at]);
            } else {
                steps[++last] = steps[at];
                below[last] = below[at];
            }
        }
        count = Math.min(count, last + 1);
    }
}
