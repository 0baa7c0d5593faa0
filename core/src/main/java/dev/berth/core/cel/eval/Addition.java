package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelBytes;
import java.util.List;

/// `a + b`. Where the checker did not know the types the cost model asks one unit, whatever is
/// joined; the rest of the work is counted as effort, which has its own limit.
final class Addition extends BinaryNode {

    private final CallPrice price;

    Addition(ExpressionNode left, ExpressionNode right, CallPrice price) {
        super(left, right);
        this.price = price;
    }

    @Override
    long price(Object a, Object b) {
        return price.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        switch (a) {
            case String _, CelBytes _ -> frame.exert(CallPrice.BOTH.of(a, b));
            case List<?> list when b instanceof List<?> other ->
                    // Nothing is copied, but a list must be one that can be counted.
                    frame.exert(
                            (long) list.size() + other.size() > Integer.MAX_VALUE / 2
                                    ? EvaluationFrame.EFFORT_LIMIT + 1
                                    : 0);
            default -> {}
        }
        return Arithmetic.add(a, b);
    }
}
