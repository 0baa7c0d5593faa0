package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import java.util.List;
import java.util.Map;

/// `element in container`.
final class Membership extends ExpressionNode {

    final ExpressionNode element;
    final ExpressionNode container;
    private final CallPrice price;

    Membership(ExpressionNode element, ExpressionNode container, CallPrice price) {
        this.element = element;
        this.container = container;
        this.price = price;
    }

    @Override
    List<ExpressionNode> children() {
        return List.of(element, container);
    }

    @Override
    Object eval(EvaluationFrame frame) {
        var value = element.eval(frame);
        var in = container.eval(frame);
        frame.charge(price.of(value, in));
        if (value instanceof CelError) {
            return value;
        }
        return switch (in) {
            case List<?> list -> containsEqual(list, value);
            case Map<?, ?> map -> containsKey(map, value);
            case CelError failure -> failure;
            default -> CelError.noSuchOverload();
        };
    }

    private static boolean containsEqual(List<?> list, Object element) {
        for (Object candidate : list) {
            if (CelValues.isEqual(element, candidate)) {
                return true;
            }
        }
        return false;
    }

    private static boolean containsKey(Map<?, ?> map, Object key) {
        // Looking a domain up always succeeds, so only the key itself tells.
        return map.containsKey(key)
                || (!(key instanceof String) && CelValues.find(map, key).isPresent());
    }
}
