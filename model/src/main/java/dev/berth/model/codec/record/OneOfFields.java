package dev.berth.model.codec.record;

import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Mapping of mutually exclusive fields to a sealed type.
///
/// @param <P> the record with the one-of as a component
/// @param <T> the sealed type
public final class OneOfFields<P, T> {

    private record Alternative<T>(
            FieldSlot<? extends Optional<?>> slot, Function<DecodedFields, Optional<T>> make) {}

    private final MappingBuilder<P> fields;
    private final Function<P, T> part;
    private final List<Alternative<T>> alternatives = new ArrayList<>();
    private @Nullable T none;

    private OneOfFields(MappingBuilder<P> fields, Function<P, T> part) {
        this.fields = fields;
        this.part = part;
    }

    public static <P, T> OneOfFields<P, T> of(MappingBuilder<P> fields, Function<P, T> part) {
        return new OneOfFields<>(fields, part);
    }

    /// A field whose value makes one case.
    public <V, C extends T> OneOfFields<P, T> field(
            String name,
            RecordType<V> type,
            Class<C> of,
            Function<V, C> make,
            Function<C, V> take) {
        return add(fields.pointer(name, type, when(of, take)), make);
    }

    /// A list that makes one case when it is not empty.
    public <V, C extends T> OneOfFields<P, T> list(
            String name,
            RecordType<V> type,
            Class<C> of,
            Function<V, C> make,
            Function<C, V> take) {
        return add(fields.unlessEmpty(name, type, when(of, take)), make);
    }

    private <V, C extends T> OneOfFields<P, T> add(
            FieldSlot<Optional<V>> slot, Function<V, C> make) {
        alternatives.add(new Alternative<>(slot, in -> in.get(slot).map(make)));
        return this;
    }

    /// A flag that makes one case when it is true; false is no case at all.
    public <C extends T> OneOfFields<P, T> flag(String name, Class<C> of, C value) {
        var slot = fields.pointer(name, ScalarTypes.BOOL, when(of, _ -> true));
        alternatives.add(
                new Alternative<>(slot, in -> in.get(slot).filter(on -> on).map(_ -> value)));
        return this;
    }

    /// The case without a field.
    public OneOfFields<P, T> none(T value) {
        none = value;
        return this;
    }

    /// The case that keeps the fields as written if no other case matches.
    public <C extends T> Function<DecodedFields, T> otherwise(
            Class<C> of, Function<JsonObject, C> make, Function<C, JsonObject> take) {
        fields.rest(from -> when(of, take).apply(from).orElse(JsonObject.EMPTY));
        return in -> read(in).orElseGet(() -> make.apply(raw(in)));
    }

    private <C extends T, V> Function<P, Optional<V>> when(Class<C> of, Function<C, V> take) {
        return from -> {
            var value = part.apply(from);
            return of.isInstance(value)
                    ? Optional.of(take.apply(of.cast(value)))
                    : Optional.empty();
        };
    }

    /// A plain loop: this runs for every attribute of every device.
    private Optional<T> read(DecodedFields in) {
        @Nullable Alternative<T> only = null;
        for (var alternative : alternatives) {
            if (in.isSet(alternative.slot.index()) && in.get(alternative.slot).isPresent()) {
                if (only != null) {
                    return Optional.empty();
                }
                only = alternative;
            }
        }
        return only == null ? Optional.ofNullable(none) : only.make.apply(in);
    }

    private JsonObject raw(DecodedFields in) {
        return in.raw(alternatives.stream().map(Alternative::slot).toArray(FieldSlot<?>[]::new));
    }
}
