package dev.berth.model.codec.record;

import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Collects the description of an object's fields, in the order in which they are written.
public final class MappingBuilder<T> {

    private final List<Field<T, ?>> fields = new ArrayList<>();
    private @Nullable Function<T, JsonObject> rest;

    /// A field that is always written.
    public <V> FieldSlot<V> always(String name, RecordType<V> type, Function<T, V> part) {
        return add(name, type, FieldPresence.ALWAYS, part, value(type));
    }

    /// A field that is left out when it is empty or zero.
    public <V> FieldSlot<V> optional(String name, RecordType<V> type, Function<T, V> part) {
        return add(name, type, FieldPresence.UNLESS_EMPTY, part, value(type));
    }

    /// A field that is left out when it is absent, and written when it is empty.
    public <V> FieldSlot<Optional<V>> pointer(
            String name, RecordType<V> type, Function<T, Optional<V>> part) {
        return add(name, type, FieldPresence.WHEN_SET, orNull(part), MappingBuilder::maybe);
    }

    /// A field that is left out when it is absent, and also when it is empty.
    public <V> FieldSlot<Optional<V>> unlessEmpty(
            String name, RecordType<V> type, Function<T, Optional<V>> part) {
        return add(
                name,
                type,
                FieldPresence.UNLESS_EMPTY,
                orNull(part),
                slot -> MappingBuilder.<V>maybe(slot).filter(value -> !type.isZero(value)));
    }

    /// A field that is written as `null` when it is absent.
    public <V> FieldSlot<Optional<V>> nullable(
            String name, RecordType<V> type, Function<T, Optional<V>> part) {
        return add(name, type, FieldPresence.NULLABLE, orNull(part), MappingBuilder::maybe);
    }

    /// A number that is left out when it is absent, and written when it is zero.
    public FieldSlot<OptionalLong> number(
            String name, RecordType<Long> type, Function<T, OptionalLong> part) {
        return add(
                name,
                type,
                FieldPresence.WHEN_SET,
                from -> {
                    var value = part.apply(from);
                    return value.isPresent() ? value.getAsLong() : null;
                },
                slot -> slot instanceof Long value ? OptionalLong.of(value) : OptionalLong.empty());
    }

    /// A field with a constant value; the decoded value is ignored.
    public void fixed(String name, String value) {
        add(name, new ScalarTypes.Fixed(value), FieldPresence.ALWAYS, _ -> value, _ -> value);
    }

    /// A field that is known but not kept.
    public void unused(String name, RecordType<?> type) {
        addUnused(name, type);
    }

    private <V> void addUnused(String name, RecordType<V> type) {
        add(name, type, FieldPresence.NEVER, _ -> null, _ -> JsonNull.INSTANCE);
    }

    /// Further members to write, as kept by an `Unrecognised` case. Also makes unknown members
    /// available to the record.
    public void rest(Function<T, JsonObject> members) {
        rest = members;
    }

    private <R, V> FieldSlot<V> add(
            String name,
            RecordType<R> type,
            FieldPresence presence,
            Function<T, @Nullable R> part,
            Function<@Nullable Object, V> view) {
        var slot = new FieldSlot<>(fields.size(), view);
        fields.add(new Field<>(name, type, presence, part));
        return slot;
    }

    private static <T, V> Function<T, @Nullable V> orNull(Function<T, Optional<V>> part) {
        return from -> part.apply(from).orElse(null);
    }

    @SuppressWarnings("unchecked") // a slot holds a value of its own type
    private static <V> Optional<V> maybe(@Nullable Object slot) {
        return Optional.ofNullable((V) slot);
    }

    @SuppressWarnings("unchecked") // a slot holds a value of its own type
    private static <V> Function<@Nullable Object, V> value(RecordType<V> type) {
        return slot -> slot == null ? type.zero() : (V) slot;
    }

    List<Field<T, ?>> fields() {
        return fields;
    }

    public @Nullable Function<T, JsonObject> rest() {
        return rest;
    }
}
