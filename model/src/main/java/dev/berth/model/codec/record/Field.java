package dev.berth.model.codec.record;

import dev.berth.model.codec.token.ValueWriter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A field of an object type.
///
/// @param part getter of the record; `null` when the record has no such component
record Field<T, R>(
        String name, RecordType<R> type, FieldPresence presence, Function<T, @Nullable R> part) {

    void write(T from, ValueWriter out) {
        writeValue(part.apply(from), out);
    }

    private void writeValue(@Nullable R value, ValueWriter out) {
        if (value == null) {
            if (presence == FieldPresence.NULLABLE) {
                out.name(name);
                out.nothing();
            }
            return;
        }
        if (presence == FieldPresence.UNLESS_EMPTY && type.isZero(value)) {
            return;
        }
        out.name(name);
        type.write(value, out);
    }

    @SuppressWarnings("unchecked") // values were decoded by this field
    void writeSlot(@Nullable Object value, ValueWriter out) {
        writeValue((R) value, out);
    }
}
