package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A value and a chain of selections from it: `x.a["b"].?c`, or `has(x.a.b)`.
public final class FieldSelection extends Attribute {

    public final ExpressionNode base;
    public final boolean presenceOnly;
    private final Qualifier[] steps;

    public FieldSelection(ExpressionNode base, List<Qualifier> steps, boolean presenceOnly) {
        this.base = base;
        this.steps = steps.toArray(Qualifier[]::new);
        this.presenceOnly = presenceOnly;
    }

    public List<Qualifier> steps() {
        return List.of(steps);
    }

    @Override
    public List<ExpressionNode> children() {
        return Stream.concat(Stream.of(base), Arrays.stream(steps).map(Qualifier::index)).toList();
    }

    @Override
    int rootCost() {
        var cost = base instanceof Conditional ? 0 : 1;
        // The presence test itself is free. Upstream subtracts its cost even where it was not
        // charged.
        return presenceOnly ? cost - 1 : cost;
    }

    @Override
    Object resolve(EvaluationFrame frame) {
        var value = base.resolve(frame);
        var optional = false;
        if (value instanceof Optional<?> option) {
            if (option.isEmpty()) {
                return presenceOnly ? (Object) false : option;
            }
            value = option.get();
            optional = true;
        }
        for (var i = 0; i < steps.length; i++) {
            if (value instanceof CelError) {
                return value;
            }
            var step = steps[i];
            var testing = presenceOnly && i == steps.length - 1;
            optional |= step.optional();
            if (optional) {
                var present = step.selectIfPresent(frame, value);
                if (present == null) {
                    return presenceOnly ? (Object) false : Optional.empty();
                }
                value = testing && !(present instanceof CelError) ? (Object) true : present;
            } else {
                value = testing ? step.test(frame, value) : step.select(frame, value);
            }
        }
        return optional && !presenceOnly && !(value instanceof CelError)
                ? Optional.of(value)
                : value;
    }
}
