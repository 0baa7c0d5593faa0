package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.library.KubernetesCelValue;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.util.Optional;

/// Runtime cost of calls of standard functions with one or two arguments. A unary call passes its
/// argument as the second one too.
public interface StandardCallCost {

    StandardCallCost ONE = (_, _) -> 1;
    StandardCallCost NOTHING = (_, _) -> 0;

    /// Comparison stops at the end of the shorter operand.
    StandardCallCost SHORTER = (a, b) -> scaled(Math.min(size(a), size(b)), 0.1);

    StandardCallCost BOTH = (a, b) -> scaled(size(a) + size(b), 0.1);
    StandardCallCost FIRST = (a, _) -> scaled(size(a), 0.1);
    StandardCallCost SECOND_ELEMENTS = (_, b) -> size(b);
    StandardCallCost PRODUCT = (a, b) -> scaled(size(a), 0.1) * scaled(size(b), 0.1);
    StandardCallCost REGEX = (a, b) -> scaled(1 + size(a), 0.1) * scaled(size(b), 0.25);
    StandardCallCost EQUALITY = (a, b) -> isObject(a) ? 1 : SHORTER.of(a, b);

    long of(Object a, Object b);

    static long scaled(long size, double factor) {
        return (long) Math.ceil(size * factor);
    }

    private static boolean isObject(Object value) {
        return value instanceof Quantity
                || value instanceof Semver
                || value instanceof KubernetesCelValue;
    }

    private static long size(Object value) {
        return switch (value) {
            case CelError _ -> 1;
            case Optional<?> option -> option.isPresent() ? size(option.get()) : 1;
            default -> CelValues.sizeOf(value);
        };
    }
}
