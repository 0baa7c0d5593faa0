package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.value.GoTypeNames;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A comprehension: the loop to which the macros `all`, `map`, `cel.bind` and others expand.
///
/// The loop itself is free; each iteration costs what it evaluates. An iteration of a macro always
/// has a cost, so the cost limit ends every loop.
public final class Comprehension extends ExpressionNode {

    final ExpressionNode range;
    final @Nullable LocalBinding first;
    final @Nullable LocalBinding second;
    public final LocalBinding accumulator;
    final ExpressionNode condition;
    final ExpressionNode step;
    public final ExpressionNode result;

    public Comprehension(
            ExpressionNode range,
            @Nullable LocalBinding first,
            @Nullable LocalBinding second,
            LocalBinding accumulator,
            ExpressionNode condition,
            ExpressionNode step,
            ExpressionNode result) {
        this.range = range;
        this.first = first;
        this.second = second;
        this.accumulator = accumulator;
        this.condition = condition;
        this.step = step;
        this.result = result;
    }

    @Override
    public List<ExpressionNode> children() {
        var initial = Objects.requireNonNull(accumulator.initial());
        return accumulator.fixed()
                ? List.of(initial, result)
                : List.of(range, initial, condition, step, result);
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        frame.put(accumulator.slot(), null);
        if (accumulator.fixed()) {
            return result.eval(frame);
        }
        return switch (range.eval(frame)) {
            case CelError failure -> failure;
            case List<?> list -> overList(frame, list);
            case Map<?, ?> map -> overMap(frame, map);
            case Object other ->
                    new CelError(
                            second == null
                                    ? "got '%s', expected iterable type"
                                            .formatted(GoTypeNames.ofValue(other))
                                    : "unsupported comprehension range type: "
                                            + GoTypeNames.ofValue(other));
        };
    }

    private Object overList(EvaluationFrame frame, List<?> list) {
        var index = 0L;
        for (Object element : list) {
            if (second == null) {
                put(frame, first, element);
            } else {
                put(frame, first, index++);
                put(frame, second, element);
            }
            if (!iterate(frame)) {
                break;
            }
        }
        return result.eval(frame);
    }

    private Object overMap(EvaluationFrame frame, Map<?, ?> map) {
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            var entry = entries.next();
            put(frame, first, entry.getKey());
            if (second != null) {
                put(frame, second, entry.getValue());
            }
            if (!iterate(frame)) {
                break;
            }
        }
        return result.eval(frame);
    }

    /// Runs one iteration; false when the loop ends.
    private boolean iterate(EvaluationFrame frame) {
        frame.addUnchargedWork(1);
        if (Boolean.FALSE.equals(condition.eval(frame))) {
            return false;
        }
        frame.put(accumulator.slot(), step.eval(frame));
        return true;
    }

    private static void put(EvaluationFrame frame, @Nullable LocalBinding binding, Object value) {
        frame.put(Objects.requireNonNull(binding).slot(), value);
    }
}
