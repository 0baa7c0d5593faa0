package dev.berth.core.cel.eval;

import java.util.function.BinaryOperator;

/// A standard function of two arguments.
final class BinaryCall extends BinaryNode {

    private final BinaryOperator<Object> function;
    private final CallPrice price;

    BinaryCall(
            ExpressionNode left,
            ExpressionNode right,
            CallPrice price,
            BinaryOperator<Object> function) {
        super(left, right);
        this.price = price;
        this.function = function;
    }

    @Override
    long price(Object a, Object b) {
        return price.of(a, b);
    }

    @Override
    Object apply(EvaluationFrame frame, Object a, Object b) {
        return function.apply(a, b);
    }
}
