package dev.berth.model.codec;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One field of an object.
///
/// @param part takes the value out of the record; `null` when the record has none
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

    @SuppressWarnings("unchecked") // only values that this field has read come here
    void writeSlot(@Nullable Object value, ValueWriter out) {
        writeValue((R) value, out);
    }
}
