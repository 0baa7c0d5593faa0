package dev.berth.model.codec.record;

import dev.berth.model.codec.token.ValueWriter;
import java.util.function.Function;

/// Decodes and encodes values of one Java type.
public interface RecordType<T> {

    /// Decodes the current value, which is not `null`. A wrong value is reported and replaced by
    /// zero.
    T read(Decoder in);

    void write(T value, ValueWriter out);

    /// The value of an absent field.
    T zero();

    boolean isZero(T value);

    /// The same JSON with another Java type.
    default <U> RecordType<U> as(Function<T, U> make, Function<U, T> take) {
        return new MappedType<>(this, make, take);
    }
}
