package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A loop that accumulates a result: what the macros `all`, `map`, `cel.bind` and their kin become.
///
/// It costs nothing by itself; what is evaluated in each turn does. A macro's turn always has a
/// price, so the limit of the cost ends every loop.
final class Comprehension extends Node {

    final Node range;
    final @Nullable Binding first;
    final @Nullable Binding second;
    final Binding accumulator;
    final Node condition;
    final Node step;
    final Node result;

    Comprehension(
            Node range,
            @Nullable Binding first,
            @Nullable Binding second,
            Binding accumulator,
            Node condition,
            Node step,
            Node result) {
        this.range = range;
        this.first = first;
        this.second = second;
        this.accumulator = accumulator;
        this.condition = condition;
        this.step = step;
        this.result = result;
    }

    @Override
    List<Node> children() {
        var initial = Objects.requireNonNull(accumulator.initial());
        return accumulator.fixed()
                ? List.of(initial, result)
                : List.of(range, initial, condition, step, result);
    }

    @Override
    Object eval(Frame frame) {
        frame.put(accumulator.slot(), null);
        if (accumulator.fixed()) {
            return result.eval(frame);
        }
        return switch (range.eval(frame)) {
            case Failure failure -> failure;
            case List<?> list -> overList(frame, list);
            case Map<?, ?> map -> overMap(frame, map);
            case Object other ->
                    new Failure(
                            second == null
                                    ? "got '%s', expected iterable type"
                                            .formatted(GoNames.ofValue(other))
                                    : "unsupported comprehension range type: "
                                            + GoNames.ofValue(other));
        };
    }

    private Object overList(Frame frame, List<?> list) {
        var index = 0L;
        for (Object element : list) {
            if (second == null) {
                put(frame, first, element);
            } else {
                put(frame, first, index++);
                put(frame, second, element);
            }
            if (!turn(frame)) {
                break;
            }
        }
        return result.eval(frame);
    }

    private Object overMap(Frame frame, Map<?, ?> map) {
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        while (entries.hasNext()) {
            var entry = entries.next();
            put(frame, first, entry.getKey());
            if (second != null) {
                put(frame, second, entry.getValue());
            }
            if (!turn(frame)) {
                break;
            }
        }
        return result.eval(frame);
    }

    /// One turn; false when the loop is over.
    private boolean turn(Frame frame) {
        frame.exert(1);
        if (Boolean.FALSE.equals(condition.eval(frame))) {
            return false;
        }
        frame.put(accumulator.slot(), step.eval(frame));
        return true;
    }

    private static void put(Frame frame, @Nullable Binding binding, Object value) {
        frame.put(Objects.requireNonNull(binding).slot(), value);
    }
}
