package dev.berth.core.cel.eval;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The empty list or map that a loop fills, new for each loop.
final class NewCollection extends ExpressionNode {

    private final Supplier<Object> maker;

    private NewCollection(Supplier<Object> maker) {
        this.maker = maker;
    }

    /// What a loop should start with instead of the given constant.
    static ExpressionNode insteadOf(ExpressionNode initial) {
        if (!(initial instanceof Constant constant)) {
            return initial;
        }
        return switch (constant.value) {
            case List<?> list when list.isEmpty() -> new NewCollection(GrowableLists::growing);
            case Map<?, ?> map when map.isEmpty() -> new NewCollection(GrowingMap::new);
            default -> initial;
        };
    }

    @Override
    Object eval(EvaluationFrame frame) {
        return maker.get();
    }
}
