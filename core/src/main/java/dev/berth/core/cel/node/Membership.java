package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import java.util.List;
import java.util.Map;

/// `element in container`.
public final class Membership extends ExpressionNode {

    public final ExpressionNode element;
    public final ExpressionNode container;
    private final StandardCallCost cost;

    public Membership(ExpressionNode element, ExpressionNode container, StandardCallCost cost) {
        this.element = element;
        this.container = container;
        this.cost = cost;
    }

    @Override
    public List<ExpressionNode> children() {
        return List.of(element, container);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var value = element.eval(frame);
        var in = container.eval(frame);
        frame.charge(cost.of(value, in));
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
        // Lookup of a domain always succeeds, so existence must be tested by key.
        return map.containsKey(key)
                || (!(key instanceof String) && CelValues.find(map, key).isPresent());
    }
}
