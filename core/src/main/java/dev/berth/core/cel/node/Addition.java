package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.value.Arithmetic;
import java.util.List;

/// `a + b`. For statically unknown types the cost model charges one unit regardless of size; the
/// remaining work is counted as uncharged work, which has its own limit.
public final class Addition extends BinaryNode {

    private final StandardCallCost cost;

    public Addition(ExpressionNode left, ExpressionNode right, StandardCallCost cost) {
        super(left, right);
        this.cost = cost;
    }

    @Override
    long cost(Object a, Object b) {
        return cost.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        switch (a) {
            case String _, CelBytes _ -> frame.addUnchargedWork(StandardCallCost.BOTH.of(a, b));
            case List<?> list when b instanceof List<?> other ->
                    // The lists are not copied, but the operands must be lists with a size.
                    frame.addUnchargedWork(
                            (long) list.size() + other.size() > Integer.MAX_VALUE / 2
                                    ? EvaluationFrame.UNCHARGED_WORK_LIMIT + 1
                                    : 0);
            default -> {}
        }
        return Arithmetic.add(a, b);
    }
}
