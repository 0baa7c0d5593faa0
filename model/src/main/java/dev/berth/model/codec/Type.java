package dev.berth.model.codec;

import java.util.function.Function;

/// How values of one Java type are read and written.
interface Type<T> extends Schema {

    /// Reads the current value, which is not `null`. When it is wrong this is reported, and zero
    /// stands in for it.
    T read(Decoder in);

    void write(T value, Sink out);

    /// What an absent value reads as.
    T zero();

    boolean isZero(T value);

    /// The same JSON with another Java type.
    default <U> Type<U> as(Function<T, U> make, Function<U, T> take) {
        return new Mapped<>(this, make, take);
    }
}
