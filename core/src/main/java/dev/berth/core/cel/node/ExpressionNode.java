package dev.berth.core.cel.node;

import java.util.List;

/// A node of a lowered expression.
///
/// Values are those of [dev.berth.core.cel.library.CelValues]; a node that fails evaluates to a
/// [dev.berth.core.cel.library.CelError]. Nodes are stateless, so that one tree serves any number
/// of threads.
public abstract class ExpressionNode {

    /// The direct children, in no particular order; for analysis, not for evaluation.
    public List<ExpressionNode> children() {
        return List.of();
    }

    /// Evaluates this node and adds its cost to the frame.
    public abstract Object eval(EvaluationFrame frame);

    /// Evaluates this node where the cost model charges nothing for a variable: as a branch of a
    /// conditional, as an index, and as the operand of a selection.
    Object resolve(EvaluationFrame frame) {
        return eval(frame);
    }
}
