package dev.berth.core.cel.node;

/// A call with constant arguments: computed once, charged on each evaluation.
public final class ConstantCall extends ExpressionNode {

    private final Object value;
    private final long cost;

    public ConstantCall(Object value, long cost) {
        this.value = value;
        this.cost = cost;
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        frame.charge(cost);
        return value;
    }
}
