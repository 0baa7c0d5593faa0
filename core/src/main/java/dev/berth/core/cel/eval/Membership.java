package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import dev.berth.core.cel.library.Values;
import java.util.List;
import java.util.Map;

/// `element in container`.
final class Membership extends Node {

    final Node element;
    final Node container;
    private final Price price;

    Membership(Node element, Node container, Price price) {
        this.element = element;
        this.container = container;
        this.price = price;
    }

    @Override
    List<Node> children() {
        return List.of(element, container);
    }

    @Override
    Object eval(Frame frame) {
        var value = element.eval(frame);
        var in = container.eval(frame);
        frame.charge(price.of(value, in));
        if (value instanceof Failure) {
            return value;
        }
        return switch (in) {
            case List<?> list -> containsEqual(list, value);
            case Map<?, ?> map -> containsKey(map, value);
            case Failure failure -> failure;
            default -> Failure.noSuchOverload();
        };
    }

    private static boolean containsEqual(List<?> list, Object element) {
        for (Object candidate : list) {
            if (Values.isEqual(element, candidate)) {
                return true;
            }
        }
        return false;
    }

    private static boolean containsKey(Map<?, ?> map, Object key) {
        // Looking a domain up always succeeds, so only the key itself tells.
        return map.containsKey(key)
                || (!(key instanceof String) && Values.find(map, key).isPresent());
    }
}
