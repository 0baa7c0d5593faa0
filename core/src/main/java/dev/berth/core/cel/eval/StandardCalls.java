package dev.berth.core.cel.eval;

import com.google.re2j.Pattern;
import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.library.PatternCheck;
import dev.berth.core.cel.node.Addition;
import dev.berth.core.cel.node.BinaryCall;
import dev.berth.core.cel.node.Comparison;
import dev.berth.core.cel.node.Constant;
import dev.berth.core.cel.node.ConstantCall;
import dev.berth.core.cel.node.Equality;
import dev.berth.core.cel.node.ExpressionNode;
import dev.berth.core.cel.node.Membership;
import dev.berth.core.cel.node.NaryCall;
import dev.berth.core.cel.node.NotStrictlyFalse;
import dev.berth.core.cel.node.OptionalFunctions;
import dev.berth.core.cel.node.StandardCallCost;
import dev.berth.core.cel.node.UnaryCall;
import dev.berth.core.cel.value.Arithmetic;
import dev.berth.core.cel.value.CelTimes;
import dev.berth.core.cel.value.Conversions;
import dev.berth.core.cel.value.GrowingMap;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// Creates nodes for the standard functions of CEL.
final class StandardCalls {

    private static final Set<String> COMPARED_BY_LENGTH =
            Set.of(
                    "less_string",
                    "less_equals_string",
                    "greater_string",
                    "greater_equals_string",
                    "less_bytes",
                    "less_equals_bytes",
                    "greater_bytes",
                    "greater_equals_bytes");

    private StandardCalls() {}

    /// The node of a call, or empty when the function is not a standard one.
    ///
    /// @param overload the id that the checker selected, or empty when several remain
    static Optional<ExpressionNode> lower(
            String function, String overload, List<ExpressionNode> arguments) {
        return switch (arguments.size()) {
            case 0 ->
                    function.equals("optional.none")
                            ? Optional.of(new ConstantCall(Optional.empty(), 1))
                            : Optional.empty();
            case 1 -> unary(function, overload, arguments.getFirst());
            case 2 -> binary(function, overload, arguments.getFirst(), arguments.get(1));
            default ->
                    function.equals("cel.@mapInsert")
                            ? Optional.of(
                                    new NaryCall(
                                            arguments, a -> GrowingMap.insert(a[0], a[1], a[2])))
                            : Optional.empty();
        };
    }

    private static Optional<ExpressionNode> unary(
            String function, String overload, ExpressionNode argument) {
        return Optional.ofNullable(
                switch (function) {
                    case "!_" -> new UnaryCall(argument, StandardCallCost.ONE, Arithmetic::not);
                    case "-_" -> new UnaryCall(argument, StandardCallCost.ONE, Arithmetic::negate);
                    case "@not_strictly_false", "__not_strictly_false__" ->
                            new NotStrictlyFalse(argument);
                    case "size" ->
                            new UnaryCall(argument, StandardCallCost.ONE, StandardCalls::size);
                    case "optional.of" ->
                            new UnaryCall(argument, StandardCallCost.ONE, Optional::of);
                    case "optional.ofNonZeroValue" ->
                            new UnaryCall(
                                    argument, StandardCallCost.ONE, OptionalFunctions::ofNonZero);
                    case "hasValue" ->
                            new UnaryCall(
                                    argument, StandardCallCost.ONE, OptionalFunctions::hasValue);
                    case "value" ->
                            new UnaryCall(argument, StandardCallCost.ONE, OptionalFunctions::value);
                    case String name when Conversions.isConversion(name) ->
                            conversion(name, overload, argument);
                    case String name when name.startsWith("get") && isTimePart(name) ->
                            new UnaryCall(
                                    argument, StandardCallCost.ONE, value -> timePart(name, value));
                    default -> null;
                });
    }

    private static ExpressionNode conversion(
            String function, String overload, ExpressionNode argument) {
        var cost =
                overload.equals("string_to_bytes") || overload.equals("bytes_to_string")
                        ? StandardCallCost.FIRST
                        : StandardCallCost.ONE;
        return new UnaryCall(argument, cost, value -> Conversions.convert(function, value));
    }

    private static Optional<ExpressionNode> binary(
            String function, String overload, ExpressionNode a, ExpressionNode b) {
        var byLength =
                COMPARED_BY_LENGTH.contains(overload)
                        ? StandardCallCost.SHORTER
                        : StandardCallCost.ONE;
        return Optional.ofNullable(
                switch (function) {
                    case "_==_" -> new Equality(a, b, false);
                    case "_!=_" -> new Equality(a, b, true);
                    case "_<_" -> new Comparison(a, b, Comparison.Operator.LESS, byLength);
                    case "_<=_" ->
                            new Comparison(a, b, Comparison.Operator.LESS_OR_EQUAL, byLength);
                    case "_>_" -> new Comparison(a, b, Comparison.Operator.GREATER, byLength);
                    case "_>=_" ->
                            new Comparison(a, b, Comparison.Operator.GREATER_OR_EQUAL, byLength);
                    case "_+_" -> addition(overload, a, b);
                    case "_-_" -> new BinaryCall(a, b, StandardCallCost.ONE, Arithmetic::subtract);
                    case "_*_" -> new BinaryCall(a, b, StandardCallCost.ONE, Arithmetic::multiply);
                    case "_/_" -> new BinaryCall(a, b, StandardCallCost.ONE, Arithmetic::divide);
                    case "_%_" -> new BinaryCall(a, b, StandardCallCost.ONE, Arithmetic::modulo);
                    case "@in", "_in_", "in" -> membership(overload, a, b);
                    case "or" -> new OptionalFunctions.Alternative(a, b, false);
                    case "orValue" -> new OptionalFunctions.Alternative(a, b, true);
                    case "cel.@mapInsert" ->
                            new BinaryCall(a, b, StandardCallCost.ONE, GrowingMap::insertAll);
                    default -> text(function, overload, a, b);
                });
    }

    private static @Nullable ExpressionNode text(
            String function, String overload, ExpressionNode a, ExpressionNode b) {
        return switch (function) {
            case "contains" ->
                    new BinaryCall(
                            a, b, StandardCallCost.PRODUCT, onText(function, String::contains));
            case "startsWith" ->
                    new BinaryCall(
                            a, b, StandardCallCost.FIRST, onText(function, String::startsWith));
            case "endsWith" ->
                    new BinaryCall(
                            a, b, StandardCallCost.FIRST, onText(function, String::endsWith));
            case "matches" -> matches(overload, a, b);
            case String name when name.startsWith("get") && isTimePart(name) ->
                    new BinaryCall(
                            a, b, StandardCallCost.ONE, (time, zone) -> timePart(name, time, zone));
            default -> null;
        };
    }

    private static ExpressionNode addition(String overload, ExpressionNode a, ExpressionNode b) {
        return new Addition(
                a,
                b,
                overload.equals("add_string") || overload.equals("add_bytes")
                        ? StandardCallCost.BOTH
                        : StandardCallCost.ONE);
    }

    private static ExpressionNode membership(String overload, ExpressionNode a, ExpressionNode b) {
        if (!overload.equals("in_list")) {
            return new Membership(a, b, StandardCallCost.ONE);
        }
        if (!(b instanceof Constant constant) || !(constant.value instanceof List<?> list)) {
            return new Membership(a, b, StandardCallCost.SECOND_ELEMENTS);
        }
        if (list.isEmpty()) {
            return new Constant(false);
        }
        // Upstream converts a literal list of scalars to a set, for which membership is free.
        var scalars = list.stream().noneMatch(e -> e instanceof List || e instanceof Map);
        return new Membership(
                a, b, scalars ? StandardCallCost.NOTHING : StandardCallCost.SECOND_ELEMENTS);
    }

    private static ExpressionNode matches(
            String overload, ExpressionNode text, ExpressionNode pattern) {
        var cost = overload.equals("matches") ? StandardCallCost.ONE : StandardCallCost.REGEX;
        if (pattern instanceof Constant constant && constant.value instanceof String regex) {
            var compiled = Pattern.compile(regex);
            return new BinaryCall(
                    text,
                    pattern,
                    cost,
                    (a, _) ->
                            a instanceof String value
                                    ? (Object) compiled.matcher(value).find()
                                    : Arithmetic.noSuch("matches"));
        }
        return new BinaryCall(text, pattern, cost, StandardCalls::find);
    }

    private static Object find(Object text, Object pattern) {
        if (!(text instanceof String value)) {
            return Arithmetic.noSuch("matches");
        }
        if (!(pattern instanceof String regex)) {
            return CelError.noSuchOverload();
        }
        var compiled = PatternCheck.compile(regex);
        return compiled instanceof Pattern good ? (Object) good.matcher(value).find() : compiled;
    }

    private interface TextTest {
        boolean test(String text, String part);
    }

    private static BinaryOperator<Object> onText(String function, TextTest test) {
        return (a, b) ->
                a instanceof String text && b instanceof String part
                        ? (Object) test.test(text, part)
                        : Conversions.unsupported(function, a, b);
    }

    private static Object size(Object value) {
        return switch (value) {
            case String _, CelBytes _, List<?> _, Map<?, ?> _ -> CelValues.sizeOf(value);
            default -> Arithmetic.noSuch("size");
        };
    }

    private static boolean isTimePart(String function) {
        return CelTimes.part(function, Instant.EPOCH.atZone(ZoneOffset.UTC)).isPresent();
    }

    private static Object timePart(String function, Object value) {
        var part =
                switch (value) {
                    case Instant instant -> CelTimes.part(function, instant.atZone(ZoneOffset.UTC));
                    case Duration duration -> CelTimes.total(function, duration);
                    default -> Optional.empty();
                };
        return part.isPresent() ? part.get() : Conversions.unsupported(function, value);
    }

    private static Object timePart(String function, Object value, Object zone) {
        if (!(value instanceof Instant instant) || !(zone instanceof String name)) {
            return Conversions.unsupported(function, value, zone);
        }
        return CelTimes.at(instant, name) instanceof ZonedDateTime time
                ? CelTimes.part(function, time).orElseGet(CelError::noSuchOverload)
                : CelTimes.at(instant, name);
    }
}
