package dev.berth.core.cel.eval;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// The empty list or map that a loop fills, new for each loop.
final class Fresh extends Node {

    private final Supplier<Object> maker;

    private Fresh(Supplier<Object> maker) {
        this.maker = maker;
    }

    /// What a loop should start with instead of the given constant.
    static Node insteadOf(Node initial) {
        if (!(initial instanceof Constant constant)) {
            return initial;
        }
        return switch (constant.value) {
            case List<?> list when list.isEmpty() -> new Fresh(Lists::growing);
            case Map<?, ?> map when map.isEmpty() -> new Fresh(GrowingMap::new);
            default -> initial;
        };
    }

    @Override
    Object eval(Frame frame) {
        return maker.get();
    }
}
