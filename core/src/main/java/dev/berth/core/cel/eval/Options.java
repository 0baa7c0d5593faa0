package dev.berth.core.cel.eval;

import dev.berth.core.cel.library.Bytes;
import dev.berth.core.cel.library.Failure;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.UInt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The functions of optional values.
final class Options {

    private Options() {}

    static Object value(Object value) {
        if (!(value instanceof Optional<?> option)) {
            return Conversions.unsupported("value", value);
        }
        return option.isPresent() ? option.get() : new Failure("optional.none() dereference");
    }

    static Object hasValue(Object value) {
        return value instanceof Optional<?> option
                ? (Object) option.isPresent()
                : Conversions.unsupported("hasValue", value);
    }

    static Object ofNonZero(Object value) {
        return isZero(value) ? Optional.empty() : Optional.of(value);
    }

    private static boolean isZero(Object value) {
        return switch (value) {
            case Long number -> number == 0;
            case UInt number -> number.bits() == 0;
            case Double number -> number == 0;
            case Boolean flag -> !flag;
            case String text -> text.isEmpty();
            case Bytes bytes -> bytes.size() == 0;
            case NullValue _ -> true;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Duration duration -> duration.isZero();
            case Optional<?> option -> option.isEmpty();
            default -> false;
        };
    }

    /// `a.or(b)` and `a.orValue(b)`: free, and `b` is evaluated only when `a` has no value.
    static final class Alternative extends Node {

        final Node option;
        final Node otherwise;
        private final boolean unwrapped;

        Alternative(Node option, Node otherwise, boolean unwrapped) {
            this.option = option;
            this.otherwise = otherwise;
            this.unwrapped = unwrapped;
        }

        @Override
        List<Node> children() {
            return List.of(option, otherwise);
        }

        @Override
        Object eval(Frame frame) {
            var value = option.eval(frame);
            if (!(value instanceof Optional<?> present)) {
                return value;
            }
            if (present.isEmpty()) {
                return otherwise.eval(frame);
            }
            return unwrapped ? present.get() : present;
        }
    }
}
