package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import dev.berth.core.cel.library.Values;
import java.util.List;

/// `a == b` and `a != b`.
final class Equality extends Node {

    final Node left;
    final Node right;
    private final boolean negated;

    Equality(Node left, Node right, boolean negated) {
        this.left = left;
        this.right = right;
        this.negated = negated;
    }

    @Override
    List<Node> children() {
        return List.of(left, right);
    }

    @Override
    Object eval(Frame frame) {
        var a = left.eval(frame);
        var b = right.eval(frame);
        if (a instanceof String text && b instanceof String other) {
            return compare(frame, text, other);
        }
        frame.charge(Price.EQUALITY.of(a, b));
        if (a instanceof Failure) {
            return a;
        }
        if (b instanceof Failure) {
            return b;
        }
        return negated ? (Object) !Values.isEqual(a, b) : Values.equal(a, b);
    }

    private Object compare(Frame frame, String a, String b) {
        var shorter = Math.min(a.codePointCount(0, a.length()), b.codePointCount(0, b.length()));
        // A tenth, rounded up: exactly what the rule says in floating point, without it.
        frame.charge((shorter + 9) / 10);
        return a.equals(b) != negated;
    }
}
