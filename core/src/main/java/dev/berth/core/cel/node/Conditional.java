package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// `condition ? yes : no`. The conditional itself is free, and a variable as a branch is free.
public final class Conditional extends Attribute {

    public final ExpressionNode condition;
    public final ExpressionNode yes;
    public final ExpressionNode no;

    public Conditional(ExpressionNode condition, ExpressionNode yes, ExpressionNode no) {
        this.condition = condition;
        this.yes = yes;
        this.no = no;
    }

    @Override
    public List<ExpressionNode> children() {
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
