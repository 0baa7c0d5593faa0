package dev.berth.model.codec;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One field of an object.
///
/// @param part takes the value out of the record; `null` when the record has none
record Field<T, R>(String name, Type<R> type, Presence presence, Function<T, @Nullable R> part) {

    void write(T from, Sink out) {
        writeValue(part.apply(from), out);
    }

    private void writeValue(@Nullable R value, Sink out) {
        if (value == null) {
            if (presence == Presence.NULLABLE) {
                out.name(name);
                out.nothing();
            }
            return;
        }
        if (presence == Presence.UNLESS_EMPTY && type.isZero(value)) {
            return;
        }
        out.name(name);
        type.write(value, out);
    }

    @SuppressWarnings("unchecked") // only values that this field has read come here
    void writeSlot(@Nullable Object value, Sink out) {
        writeValue((R) value, out);
    }
}
