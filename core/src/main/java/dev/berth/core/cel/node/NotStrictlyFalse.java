package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// `@not_strictly_false`, the loop condition of macros: continues unless the accumulator is false,
/// also after an error.
public final class NotStrictlyFalse extends ExpressionNode {

    final ExpressionNode argument;

    public NotStrictlyFalse(ExpressionNode argument) {
        this.argument = argument;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(argument);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var value = argument.eval(frame);
        frame.charge(1);
        return switch (value) {
            case Boolean flag -> flag;
            case CelError _ -> true;
            default -> CelError.noSuchOverload();
        };
    }
}
