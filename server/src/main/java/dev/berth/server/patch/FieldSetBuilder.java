package dev.berth.server.patch;

import java.util.Arrays;
import java.util.Comparator;

/// A [FieldSet] that is being collected from what is below each of its steps, in any order.
final class FieldSetBuilder {

    /// Up to so many steps are put in order one by one.
    private static final int FEW = 16;

    private PathStep[] steps;
    private FieldSet[] below;
    private int count;

    /// @param expected how many steps there will be; it may be more
    FieldSetBuilder(int expected) {
        steps = expected == 0 ? FieldSet.NO_STEPS : new PathStep[expected];
        below = expected == 0 ? FieldSet.NO_SETS : new FieldSet[expected];
    }

    /// Adds what is below a step, and the field it leads to if that is a member.
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

    /// The set, which then must not grow any more.
    ///
    /// @param member whether the field that this is below is in the set
    FieldSet done(boolean member) {
        if (count > FEW) {
            sortMany();
        } else {
            sortFew();
        }
        uniteRepeated();
        return FieldSet.of(member, steps, below, count);
    }

    private void sortFew() {
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

    private void sortMany() {
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

    /// Steps that were added more than once stand side by side now.
    private void uniteRepeated() {
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
