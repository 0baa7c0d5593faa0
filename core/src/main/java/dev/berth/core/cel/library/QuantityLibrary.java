package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.CelTypes.QUANTITY;

import dev.berth.core.cel.library.Overload.Call;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.berth.model.quantity.Quantity;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Kubernetes' quantity library: `quantity("1.5Gi")`.
final class QuantityLibrary {

    private QuantityLibrary() {}

    static List<Overload> overloads() {
        var of2 = List.of(QUANTITY, QUANTITY);
        var withInt = List.of(QUANTITY, SimpleType.INT);
        return List.of(
                reading("quantity", "string_to_quantity", QUANTITY, QuantityLibrary::parse),
                reading(
                        "isQuantity",
                        "is_quantity_string",
                        SimpleType.BOOL,
                        text -> Quantity.tryParse(text).isPresent()),
                accessor(false, "sign", "quantity_sign", SimpleType.INT, q -> (long) q.signum()),
                accessor(
                        true,
                        "asApproximateFloat",
                        "quantity_get_float",
                        SimpleType.DOUBLE,
                        Quantity::asApproximateDouble),
                accessor(
                        true,
                        "asInteger",
                        "quantity_get_int",
                        SimpleType.INT,
                        QuantityLibrary::whole),
                accessor(
                        true,
                        "isInteger",
                        "quantity_is_integer",
                        SimpleType.BOOL,
                        q -> q.asPlainLong().isPresent()),
                comparing(
                        "isGreaterThan",
                        "quantity_is_greater_than",
                        SimpleType.BOOL,
                        order -> order > 0),
                comparing(
                        "isLessThan", "quantity_is_less_than", SimpleType.BOOL, order -> order < 0),
                comparing(
                        "compareTo", "quantity_compare_to", SimpleType.INT, order -> (long) order),
                arithmetic("add", "quantity_add", of2, Quantity::plus),
                arithmetic("add", "quantity_add_int", withInt, Quantity::plus),
                arithmetic("sub", "quantity_sub", of2, Quantity::minus),
                arithmetic("sub", "quantity_sub_int", withInt, Quantity::minus));
    }

    private static Object parse(String text) {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException e) {
            return new CelError(String.valueOf(e.getMessage()));
        }
    }

    private static Object whole(Quantity quantity) {
        var value = quantity.asPlainLong();
        return value.isPresent()
                ? (Object) value.getAsLong()
                : new CelError("cannot convert value to integer");
    }

    private static Overload reading(
            String function, String id, CelType result, Function<String, Object> read) {
        Call call =
                arguments ->
                        arguments[0] instanceof String text
                                ? read.apply(text)
                                : CelError.noSuchOverload();
        return new Overload(
                function,
                id,
                false,
                List.of(SimpleType.STRING),
                result,
                call,
                CallCharges::traversal,
                (arguments, _) -> CallCharges.traversal(arguments));
    }

    private static Overload accessor(
            boolean member,
            String function,
            String id,
            CelType result,
            Function<Quantity, Object> read) {
        Call call =
                arguments ->
                        arguments[0] instanceof Quantity quantity
                                ? read.apply(quantity)
                                : CelError.noSuchOverload();
        return new Overload(
                function, id, member, List.of(QUANTITY), result, call, Estimate.ONE, Charge.ONE);
    }

    private static Overload comparing(
            String function, String id, CelType result, Function<Integer, Object> read) {
        Call call =
                arguments ->
                        arguments[0] instanceof Quantity a && arguments[1] instanceof Quantity b
                                ? read.apply(a.compareTo(b))
                                : CelError.noSuchOverload();
        return new Overload(
                function,
                id,
                true,
                List.of(QUANTITY, QUANTITY),
                result,
                call,
                Estimate.ONE,
                Charge.ONE);
    }

    private static Overload arithmetic(
            String function,
            String id,
            List<CelType> types,
            BiFunction<Quantity, Quantity, Quantity> operation) {
        Call call =
                arguments -> {
                    if (!(arguments[0] instanceof Quantity first)) {
                        return CelError.noSuchOverload();
                    }
                    return switch (arguments[1]) {
                        case Quantity second -> operation.apply(first, second);
                        case Long second -> operation.apply(first, Quantity.of(second));
                        default -> CelError.noSuchOverload();
                    };
                };
        return new Overload(function, id, true, types, QUANTITY, call, Estimate.ONE, Charge.ONE);
    }
}
