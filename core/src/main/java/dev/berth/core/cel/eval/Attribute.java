package dev.berth.core.cel.eval;

/// A node that reads: a variable, a selection from something, or a choice between such. In the cost
/// model it pays one unit at its root, but only where it is evaluated as a whole.
abstract class Attribute extends ExpressionNode {

    @Override
    abstract Object resolve(EvaluationFrame frame);

    /// What evaluating it costs on top of resolving it.
    int rootCost() {
        return 1;
    }

    @Override
    Object eval(EvaluationFrame frame) {
        var value = resolve(frame);
        frame.charge(rootCost());
        return value;
    }
}
