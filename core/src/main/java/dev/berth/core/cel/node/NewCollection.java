package dev.berth.core.cel.node;

import dev.berth.core.cel.value.GrowableLists;
import dev.berth.core.cel.value.GrowingMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Creates the empty list or map that a comprehension fills, new for each execution.
public final class NewCollection extends ExpressionNode {

    private final Supplier<Object> factory;

    private NewCollection(Supplier<Object> factory) {
        this.factory = factory;
    }

    /// The initial value of a comprehension, in place of an empty constant list or map.
    public static ExpressionNode replacing(ExpressionNode initial) {
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
    public Object eval(EvaluationFrame frame) {
        return factory.get();
    }
}
