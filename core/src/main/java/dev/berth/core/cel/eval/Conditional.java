package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// `condition ? yes : no`. The conditional itself is free, and a variable as a branch is free.
final class Conditional extends Attribute {

    final ExpressionNode condition;
    final ExpressionNode yes;
    final ExpressionNode no;

    Conditional(ExpressionNode condition, ExpressionNode yes, ExpressionNode no) {
        this.condition = condition;
        this.yes = yes;
        this.no = no;
    }

    @Override
    List<ExpressionNode> children() {
        return List.of(condition, yes, no);
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        var decision = condition.eval(frame);
        if (Boolean.TRUE.equals(decision)) {
            return yes.resolve(frame);
        }
        if (Boolean.FALSE.equals(decision)) {
            return no.resolve(frame);
        }
        return decision instanceof CelError ? decision : CelError.noSuchOverload();
    }

    @Override
    int rootCost() {
        return 0;
    }
}
