package dev.berth.core.cel.eval;

/// A call with constant arguments: computed once, charged on each evaluation.
final class ConstantCall extends ExpressionNode {

    private final Object value;
    private final long cost;

    ConstantCall(Object value, long cost) {
        this.value = value;
        this.cost = cost;
    }

    @Override
    Object eval(EvaluationFrame frame) {
        frame.charge(cost);
        return value;
    }
}
