package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.library.UInt;
import dev.berth.core.cel.value.GoTypeNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One selection step: `.name`, `[index]`, `.?name` or `[?index]`.
///
/// @param index the key or index; a constant for `.name`
/// @param optional true for `.?` and `[?`
public record Qualifier(ExpressionNode index, boolean optional) {

    /// The key, if it is constant.
    public Optional<Object> constantKey() {
        return index instanceof Constant constant ? Optional.of(constant.value) : Optional.empty();
    }

    /// The selected value, or an error when there is none.
    Object select(EvaluationFrame frame, Object from) {
        var key = index.resolve(frame);
        if (key instanceof CelError) {
            frame.charge(cost());
            return key;
        }
        var found = find(from, key);
        frame.charge(cost());
        return found == null ? missing(from, key) : found;
    }

    /// The selected value, or null when there is none; an absent value is not charged.
    @Nullable Object selectIfPresent(EvaluationFrame frame, Object from) {
        var key = index.resolve(frame);
        if (key instanceof CelError) {
            return key;
        }
        var found = find(from, key);
        if (found != null && !(found instanceof CelError)) {
            frame.charge(cost());
        }
        return found;
    }

    /// Whether the value is present; always charged.
    Object test(EvaluationFrame frame, Object from) {
        var key = index.resolve(frame);
        var found = key instanceof CelError ? key : find(from, key);
        frame.charge(cost());
        return found instanceof CelError ? found : (Object) (found != null);
    }

    /// A conditional as an index is free, as conditionals are.
    private int cost() {
        return index instanceof Conditional ? 0 : 1;
    }

    private static @Nullable Object find(Object from, Object key) {
        return switch (from) {
            case Map<?, ?> map -> findInMap(map, key);
            case List<?> list -> findInList(list, key);
            default -> null;
        };
    }

    private static @Nullable Object findInMap(Map<?, ?> map, Object key) {
        return switch (key) {
            // Most keys are strings, which have no numeric equivalents to try.
            case String name -> map.get(name);
            case Long _, UInt _, Double _, Boolean _ -> CelValues.find(map, key).orElse(null);
            default -> new CelError("invalid qualifier type: " + GoTypeNames.ofValue(key));
        };
    }

    private static @Nullable Object findInList(List<?> list, Object key) {
        var index =
                switch (key) {
                    case Long number -> number;
                    case UInt number -> number.exceedsInt() ? Long.MAX_VALUE : number.bits();
                    case Double number when number == Math.rint(number) -> number.longValue();
                    default -> null;
                };
        if (index == null) {
            return new CelError(
                    "unsupported index type '%s' in list".formatted(CelValues.typeName(key)));
        }
        return index >= 0 && index < list.size() ? list.get(index.intValue()) : null;
    }

    private static CelError missing(Object from, Object key) {
        return from instanceof List
                ? new CelError("index out of bounds: " + key)
                : CelError.noSuchKey(key);
    }
}
