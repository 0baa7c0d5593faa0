package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;
import java.util.function.Function;

/// A call of a built-in function with any number of arguments; costs one unit. It stops at the
/// first argument that is an error, and is then free unless that was the last one.
public final class NaryCall extends ExpressionNode {

    private final ExpressionNode[] arguments;
    private final Function<Object[], Object> function;

    public NaryCall(List<ExpressionNode> arguments, Function<Object[], Object> function) {
        this.arguments = arguments.toArray(ExpressionNode[]::new);
        this.function = function;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(arguments);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var values = new Object[arguments.length];
        for (var i = 0; i < arguments.length; i++) {
            values[i] = arguments[i].eval(frame);
            if (values[i] instanceof CelError) {
                frame.charge(i == arguments.length - 1 ? 1 : 0);
                return values[i];
            }
        }
        frame.charge(1);
        return function.apply(values);
    }
}
