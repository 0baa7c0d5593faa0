package dev.berth.model.codec.record;

/// A scalar type.
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
}
