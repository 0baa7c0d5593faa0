package dev.berth.model.codec;

import java.util.function.Function;

/// How values of one Java type are read and written.
interface RecordType<T> extends Schema {

    /// Reads the current value, which is not `null`. When it is wrong this is reported, and zero
    /// stands in for it.
    T read(Decoder in);

    void write(T value, ValueWriter out);

    /// What an absent value reads as.
    T zero();

    boolean isZero(T value);

    /// The same JSON with another Java type.
    default <U> RecordType<U> as(Function<T, U> make, Function<U, T> take) {
        return new MappedType<>(this, make, take);
    }
}
