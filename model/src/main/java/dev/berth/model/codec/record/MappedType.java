package dev.berth.model.codec.record;

import dev.berth.model.codec.token.ValueWriter;
import java.util.function.Function;

/// A type with the JSON of another one and a conversion.
public record MappedType<T, U>(RecordType<T> base, Function<T, U> make, Function<U, T> take)
        implements RecordType<U> {

    @Override
    public U read(Decoder in) {
        return make.apply(base.read(in));
    }

    @Override
    public void write(U value, ValueWriter out) {
        base.write(take.apply(value), out);
    }

    @Override
    public U zero() {
        return make.apply(base.zero());
    }

    @Override
    public boolean isZero(U value) {
        return base.isZero(take.apply(value));
    }
}
