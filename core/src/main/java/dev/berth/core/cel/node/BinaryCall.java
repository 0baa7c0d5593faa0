package dev.berth.core.cel.node;

import java.util.function.BinaryOperator;

/// Call of a standard function with two arguments.
public final class BinaryCall extends BinaryNode {

    private final BinaryOperator<Object> function;
    private final StandardCallCost cost;

    public BinaryCall(
            ExpressionNode left,
            ExpressionNode right,
            StandardCallCost cost,
            BinaryOperator<Object> function) {
        super(left, right);
        this.cost = cost;
        this.function = function;
    }

    @Override
    long cost(Object a, Object b) {
        return cost.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        return function.apply(a, b);
    }
}
