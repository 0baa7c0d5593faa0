package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelError;
import java.util.List;

/// The condition of loops: goes on unless the result so far is clearly false, even after a failure.
final class NotStrictlyFalse extends ExpressionNode {

    final ExpressionNode argument;

    NotStrictlyFalse(ExpressionNode argument) {
        this.argument = argument;
    }

    @Override
    List<ExpressionNode> children() {
        return List.of(argument);
    }

    @Override
    Object eval(EvaluationFrame frame) {
        var value = argument.eval(frame);
        frame.charge(1);
        return switch (value) {
            case Boolean flag -> flag;
            case CelError _ -> true;
            default -> CelError.noSuchOverload();
        };
    }
}
