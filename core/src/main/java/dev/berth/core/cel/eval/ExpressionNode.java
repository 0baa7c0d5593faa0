package dev.berth.core.cel.eval;

import java.util.List;

/// One part of a lowered expression.
///
/// Values are those of [dev.berth.core.cel.library.CelValues]; a part that fails gives a
/// [dev.berth.core.cel.library.CelError]. Nodes hold no state of an evaluation, so that one tree
/// serves any number of threads.
abstract class ExpressionNode {

    /// The nodes right below this one, in no particular order; for analysis, not for evaluation.
    List<ExpressionNode> children() {
        return List.of();
    }

    /// The value of this part, with its cost added to the frame.
    abstract Object eval(EvaluationFrame frame);

    /// The value where the cost model gives a variable for free: as a branch of a conditional, as
    /// an index, and below a selection.
    Object resolve(EvaluationFrame frame) {
        return eval(frame);
    }
}
