package dev.berth.core.cel.node;

/// An attribute in the sense of cel-go: a variable, a field selection or a conditional between
/// such. It costs one unit at its root, only when evaluated as a whole.
abstract class Attribute extends ExpressionNode {

    @Override
    abstract Object resolve(EvaluationFrame frame);

    /// The cost of evaluation in addition to the cost of resolving.
    int rootCost() {
        return 1;
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var value = resolve(frame);
        frame.charge(rootCost());
        return value;
    }
}
