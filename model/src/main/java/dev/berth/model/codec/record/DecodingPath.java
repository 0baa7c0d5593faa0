package dev.berth.model.codec.record;

import dev.berth.model.json.FieldPath;
import java.util.Arrays;

/// Current position in an object: a stack of steps that is converted to a [FieldPath] only when a
/// problem is reported.
final class DecodingPath {

    private static final int USUAL_DEPTH = 12;

    /// Names of members and, as numbers, positions of items.
    private Object[] steps = new Object[USUAL_DEPTH];

    private int depth;

    void enter(String member) {
        push(member);
    }

    void enter(int position) {
        push(position);
    }

    private void push(Object step) {
        if (depth == steps.length) {
            steps = Arrays.copyOf(steps, 2 * depth);
        }
        steps[depth++] = step;
    }

    void leave() {
        depth--;
    }

    FieldPath path() {
        var path = FieldPath.ROOT;
        for (var at = 0; at < depth; at++) {
            path =
                    steps[at] instanceof Integer position
                            ? path.index(position)
                            : path.child(steps[at].toString());
        }
        return path;
    }
}
