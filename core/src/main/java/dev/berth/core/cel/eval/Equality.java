package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelValues;

/// `a == b` and `a != b`.
final class Equality extends BinaryNode {

    private final boolean negated;

    Equality(ExpressionNode left, ExpressionNode right, boolean negated) {
        super(left, right);
        this.negated = negated;
    }

    @Override
    long price(Object a, Object b) {
        return a instanceof String text && b instanceof String other
                ? comparison(text, other)
                : CallPrice.EQUALITY.of(a, b);
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
        // A tenth, rounded up: exactly what the rule says in floating point, without it.
        return (shorter + 9L) / 10;
    }
}
