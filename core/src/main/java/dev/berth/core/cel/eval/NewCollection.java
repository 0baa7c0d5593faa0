package dev.berth.core.cel.eval;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Creates the empty list or map that a comprehension fills, new for each execution.
final class NewCollection extends ExpressionNode {

    private final Supplier<Object> factory;

    private NewCollection(Supplier<Object> factory) {
        this.factory = factory;
    }

    /// The initial value of a comprehension, in place of an empty constant list or map.
    static ExpressionNode replacing(ExpressionNode initial) {
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
        return factory.get();
    }
}
