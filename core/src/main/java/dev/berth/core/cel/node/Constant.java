package dev.berth.core.cel.node;

/// A literal, or a value that the cost model treats as a literal.
public final class Constant extends ExpressionNode {

    public final Object value;

    public Constant(Object value) {
        this.value = value;
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        return value;
    }
}
