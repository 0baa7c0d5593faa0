package dev.berth.core.cel.eval;

/// A literal, or a value that the cost model treats as a literal.
final class Constant extends ExpressionNode {

    final Object value;

    Constant(Object value) {
        this.value = value;
    }

    @Override
    Object eval(EvaluationFrame frame) {
        return value;
    }
}
