package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `{k: v, ?k: v}`.
final class MapLiteral extends Node {

    private static final int COST = 30;

    /// @param optional true when the value is optional, and the entry absent without one
    record Entry(Node key, Node value, boolean optional) {}

    private final List<Entry> entries;

    MapLiteral(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    @Override
    List<Node> children() {
        return entries.stream().flatMap(e -> Stream.of(e.key(), e.value())).toList();
    }

    @Override
    Object eval(Frame frame) {
        var result = build(frame);
        frame.charge(COST);
        return result;
    }

    private Object build(Frame frame) {
        var map = new LinkedHashMap<Object, Object>();
        for (var entry : entries) {
            var key = entry.key().eval(frame);
            if (key instanceof Failure) {
                return key;
            }
            var value = entry.value().eval(frame);
            if (value instanceof Failure) {
                return value;
            }
            if (!entry.optional()) {
                map.put(key, value);
            } else if (!(value instanceof Optional<?> option)) {
                return new Failure(
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

    /// The map when it can be known before any evaluation.
    Optional<Object> folded() {
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
