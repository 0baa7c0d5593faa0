package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Failure;
import dev.berth.core.cel.library.KubernetesObject;
import dev.berth.core.cel.library.Values;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.util.Optional;

/// What a call of a standard function with one or two arguments costs. The second argument of a
/// unary call is the first again.
interface Price {

    Price ONE = (_, _) -> 1;
    Price NOTHING = (_, _) -> 0;

    /// Comparing stops where the shorter one ends.
    Price SHORTER = (a, b) -> scaled(Math.min(size(a), size(b)), 0.1);

    Price BOTH = (a, b) -> scaled(size(a) + size(b), 0.1);
    Price FIRST = (a, _) -> scaled(size(a), 0.1);
    Price SECOND_ELEMENTS = (_, b) -> size(b);
    Price PRODUCT = (a, b) -> scaled(size(a), 0.1) * scaled(size(b), 0.1);
    Price REGEX = (a, b) -> scaled(1 + size(a), 0.1) * scaled(size(b), 0.25);
    Price EQUALITY = (a, b) -> isObject(a) ? 1 : SHORTER.of(a, b);

    long of(Object a, Object b);

    static long scaled(long size, double factor) {
        return (long) Math.ceil(size * factor);
    }

    private static boolean isObject(Object value) {
        return value instanceof Quantity
                || value instanceof Semver
                || value instanceof KubernetesObject;
    }

    private static long size(Object value) {
        return switch (value) {
            case Failure _ -> 1;
            case Optional<?> option -> option.isPresent() ? size(option.get()) : 1;
            default -> Values.sizeOf(value);
        };
    }
}
