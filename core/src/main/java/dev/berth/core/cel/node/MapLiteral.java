package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `{k: v, ?k: v}`.
public final class MapLiteral extends ExpressionNode {

    private static final int COST = 30;

    /// An entry of the literal.
    ///
    /// @param optional true when the value is optional; the entry is omitted if it is empty
    public record Entry(ExpressionNode key, ExpressionNode value, boolean optional) {}

    private final List<Entry> entries;

    public MapLiteral(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    @Override
    public List<ExpressionNode> children() {
        return entries.stream().flatMap(e -> Stream.of(e.key(), e.value())).toList();
    }

    @Override
    public Object eval(EvaluationFrame frame) {
        var result = build(frame);
        frame.charge(COST);
        return result;
    }

    private Object build(EvaluationFrame frame) {
        var map = new LinkedHashMap<Object, Object>();
        for (var entry : entries) {
            var key = entry.key().eval(frame);
            if (key instanceof CelError) {
                return key;
            }
            var value = entry.value().eval(frame);
            if (value instanceof CelError) {
                return value;
            }
            if (!entry.optional()) {
                map.put(key, value);
            } else if (!(value instanceof Optional<?> option)) {
                return new CelError(
                        "cannot initialize optional entry '%s' from non-optional value %s"
                                .formatted(key, value));
            } else if (option.isPresent()) {
                map.put(key, option.get());
            } else {
                map.remove(key);
            }
        }
        return Collections.unmodifiableMap(map);
    }

    /// The map, if it is constant.
    public Optional<Object> folded() {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (var entry : entries) {
            if (entry.optional()
                    || !(entry.key() instanceof Constant key)
                    || !(entry.value() instanceof Constant value)) {
                return Optional.empty();
            }
            map.put(key.value, value.value);
        }
        return Optional.of(Collections.unmodifiableMap(map));
    }
}
