package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelValues;

/// `a == b` and `a != b`.
public final class Equality extends BinaryNode {

    private final boolean negated;

    public Equality(ExpressionNode left, ExpressionNode right, boolean negated) {
        super(left, right);
        this.negated = negated;
    }

    @Override
    long cost(Object a, Object b) {
        return a instanceof String text && b instanceof String other
                ? comparison(text, other)
                : StandardCallCost.EQUALITY.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        if (a instanceof String text && b instanceof String other) {
            return text.equals(other) != negated;
        }
        return negated ? (Object) !CelValues.isEqual(a, b) : CelValues.equal(a, b);
    }

    private static long comparison(String a, String b) {
        var shorter = Math.min(a.codePointCount(0, a.length()), b.codePointCount(0, b.length()));
        // 0.1 per character, rounded up; the same result as in floating point.
        return (shorter + 9L) / 10;
    }
}
