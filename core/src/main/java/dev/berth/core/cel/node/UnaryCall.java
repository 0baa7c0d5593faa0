package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;
import java.util.function.UnaryOperator;

/// Call of a standard function with one argument.
public final class UnaryCall extends ExpressionNode {

    final ExpressionNode argument;
    private final UnaryOperator<Object> function;
    private final StandardCallCost cost;

    public UnaryCall(
            ExpressionNode argument, StandardCallCost cost, UnaryOperator<Object> function) {
        this.argument = argument;
        this.cost = cost;
        this.function = function;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(argument);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var value = argument.eval(frame);
        var result = value instanceof CelError ? value : function.apply(value);
        frame.charge(cost.of(value, value));
        return result;
    }
}
