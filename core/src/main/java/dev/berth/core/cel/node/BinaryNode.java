package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// A node with two operands. Both are evaluated, even if the first fails; the first error is the
/// result.
abstract class BinaryNode extends ExpressionNode {

    final ExpressionNode left;
    final ExpressionNode right;

    BinaryNode(ExpressionNode left, ExpressionNode right) {
        this.left = left;
        this.right = right;
    }

    @Override
    public final List<ExpressionNode> children() {
        return List.of(left, right);
    }

    @Override
    public final Object eval(EvaluationFrame frame) {
        var a = left.eval(frame);
        var b = right.eval(frame);
        // Charged before the work is done, so that an oversized concatenation is never built.
        frame.charge(cost(a, b));
        if (a instanceof CelError) {
            return a;
        }
        return b instanceof CelError ? b : apply(frame, a, b);
    }

    /// The cost, also when an operand is an error.
    abstract long cost(Object a, Object b);

    /// The result for operands that are not errors.
    abstract Object apply(EvaluationFrame frame, Object a, Object b);
}
