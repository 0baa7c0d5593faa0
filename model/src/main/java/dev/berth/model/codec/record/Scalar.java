package dev.berth.model.codec.record;

import dev.berth.model.codec.token.TreeTokenReader;
import dev.berth.model.codec.token.TreeValueWriter;
import dev.berth.model.json.Json;

/// A scalar type. Its canonical form is the result of decoding and encoding.
abstract class Scalar<T> implements RecordType<T> {

    private final T zero;

    Scalar(T zero) {
        this.zero = zero;
    }

    @Override
    public final T zero() {
        return zero;
    }

    @Override
    public final boolean isZero(T value) {
        return value.equals(zero);
    }

    @Override
    public Json tidy(Json value, Tidying tidying) {
        if (isTidy(value)) {
            return value;
        }
        var decoder = new Decoder(new TreeTokenReader(value), tidying.interner(), tidying.trail());
        decoder.tokens().next();
        var read = read(decoder);
        if (!decoder.problems().isEmpty()) {
            decoder.problems().forEach(tidying::report);
            return value;
        }
        var tidy = written(read);
        return tidy.equals(value) ? value : tidy;
    }

    /// True for a value that is known to be valid and canonical.
    boolean isTidy(Json value) {
        return false;
    }

    @Override
    public Json absent() {
        return written(zero);
    }

    private Json written(T value) {
        var sink = new TreeValueWriter(false);
        write(value, sink);
        return sink.root();
    }
}
