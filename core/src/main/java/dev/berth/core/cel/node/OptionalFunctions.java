package dev.berth.core.cel.node;

import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.UInt;
import dev.berth.core.cel.value.Conversions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The functions of optional values.
public final class OptionalFunctions {

    private OptionalFunctions() {}

    public static Object value(Object value) {
        if (!(value instanceof Optional<?> option)) {
            return Conversions.unsupported("value", value);
        }
        return option.isPresent() ? option.get() : new CelError("optional.none() dereference");
    }

    public static Object hasValue(Object value) {
        return value instanceof Optional<?> option
                ? (Object) option.isPresent()
                : Conversions.unsupported("hasValue", value);
    }

    public static Object ofNonZero(Object value) {
        return isZero(value) ? Optional.empty() : Optional.of(value);
    }

    private static boolean isZero(Object value) {
        return switch (value) {
            case Long number -> number == 0;
            case UInt number -> number.bits() == 0;
            case Double number -> number == 0;
            case Boolean flag -> !flag;
            case String text -> text.isEmpty();
            case CelBytes bytes -> bytes.size() == 0;
            case NullValue _ -> true;
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            case Duration duration -> duration.isZero();
            case Optional<?> option -> option.isEmpty();
            default -> false;
        };
    }

    /// `a.or(b)` and `a.orValue(b)`: free, and `b` is evaluated only if `a` is empty.
    public static final class Alternative extends ExpressionNode {

        final ExpressionNode option;
        final ExpressionNode otherwise;
        private final boolean unwrapped;

        public Alternative(ExpressionNode option, ExpressionNode otherwise, boolean unwrapped) {
            this.option = option;
            this.otherwise = otherwise;
            this.unwrapped = unwrapped;
        }

        @Override
        public List<ExpressionNode> children() {
            return List.of(option, otherwise);
        }

        @Override
        public Object eval(EvaluationFrame frame) {
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
