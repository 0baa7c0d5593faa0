package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// A part with two operands. Both are evaluated, even when the first one fails; the first failure
/// is the result.
abstract class BinaryNode extends ExpressionNode {

    final ExpressionNode left;
    final ExpressionNode right;

    BinaryNode(ExpressionNode left, ExpressionNode right) {
        this.left = left;
        this.right = right;
    }

    @Override
    final List<ExpressionNode> children() {
        return List.of(left, right);
    }

    @Override
    final Object eval(EvaluationFrame frame) {
        var a = left.eval(frame);
        var b = right.eval(frame);
        // Charged before the work is done: so a concatenation that is too large is never made.
        frame.charge(price(a, b));
        if (a instanceof CelError) {
            return a;
        }
        return b instanceof CelError ? b : apply(frame, a, b);
    }

    /// What it costs, also when an operand has failed.
    abstract long price(Object a, Object b);

    /// The result for operands that have not failed.
    abstract Object apply(EvaluationFrame frame, Object a, Object b);
}
