package dev.berth.core.cel.eval;

import dev.berth.core.cel.EvaluationResult;
import dev.berth.core.cel.library.CelBytes;
import dev.berth.core.cel.library.CelError;
import dev.berth.core.cel.library.CelValues;
import dev.berth.core.cel.library.KubernetesCelValue;
import dev.berth.core.cel.library.NullValue;
import dev.berth.core.cel.library.UInt;
import dev.berth.core.cel.value.GoTypeNames;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Converts the value of an expression to the result of a selector or a derived attribute, or to an
/// error.
final class ResultConversion {

    private ResultConversion() {}

    static EvaluationResult matched(Object value, long cost) {
        return switch (unwrapped(value)) {
            case Boolean matches -> new EvaluationResult.Matched(matches, cost);
            case CelError(var message) -> new EvaluationResult.Failed(message, cost);
            case Object other ->
                    new EvaluationResult.Failed(
                            "CEL result of type %s could not be converted to bool: %s"
                                    .formatted(CelValues.typeName(value), notBool(other)),
                            cost);
        };
    }

    /// Optional values are unwrapped.
    private static Object unwrapped(Object value) {
        return value instanceof Optional<?> option && option.isPresent()
                ? unwrapped(option.get())
                : value;
    }

    private static String notBool(Object value) {
        return switch (value) {
            case Long _ -> "unsupported type conversion from 'int' to bool";
            case UInt _ -> "unsupported type conversion from 'uint' to bool";
            case Double _ -> "type conversion error from Double to 'bool'";
            case String _ -> "unsupported native conversion from string to 'bool'";
            case CelBytes _ -> "type conversion error from Bytes to 'bool'";
            case NullValue _ -> "type conversion error from 'null_type' to 'bool'";
            case List<?> _ -> "type conversion error from list to 'bool'";
            case Map<?, ?> _ -> "type conversion error from map to 'bool'";
            case Duration _ -> "type conversion error from 'Duration' to 'bool'";
            case Instant _ -> "type conversion error from 'Timestamp' to 'bool'";
            case Optional<?> _ -> "optional.none() dereference";
            case Quantity _ -> "type conversion error from 'Quantity' to 'bool'";
            case Semver _ -> "type conversion error from 'Semver' to 'bool'";
            case KubernetesCelValue object ->
                    "type conversion error from '%s' to 'bool'".formatted(object.celType().name());
            default -> "type conversion not supported for 'type'";
        };
    }

    static EvaluationResult derived(Object value, long cost) {
        return switch (unwrapped(value)) {
            case CelError(var message) -> new EvaluationResult.Failed(message, cost);
            case List<?> list -> derivedList(list, cost);
            case Object scalar -> {
                var attribute = scalar(scalar);
                yield attribute.isPresent()
                        ? new EvaluationResult.Derived(attribute.get(), cost)
                        : new EvaluationResult.Failed(
                                "unsupported CEL return type: " + GoTypeNames.ofContent(scalar),
                                cost);
            }
        };
    }

    private static Optional<AttributeValue> scalar(Object value) {
        return Optional.ofNullable(
                switch (value) {
                    case Boolean flag -> new AttributeValue.BoolValue(flag);
                    case Long number -> new AttributeValue.IntValue(number);
                    case String text -> new AttributeValue.StringValue(text);
                    case Semver version -> new AttributeValue.VersionValue(version.toString());
                    default -> null;
                });
    }

    /// The first element determines the element type of a list.
    private static EvaluationResult derivedList(List<?> list, long cost) {
        if (list.isEmpty()) {
            return new EvaluationResult.Derived(new AttributeValue.StringList(List.of()), cost);
        }
        var values = list.stream().map(ResultConversion::unwrappedElement).toList();
        var first = values.getFirst();
        if (scalar(first).isEmpty()) {
            return new EvaluationResult.Failed(
                    "unsupported list element type: " + GoTypeNames.ofContent(first), cost);
        }
        for (var i = 0; i < values.size(); i++) {
            if (values.get(i).getClass() != first.getClass()) {
                return new EvaluationResult.Failed(
                        "expected list element at index %d to be %s, got %s"
                                .formatted(i, kind(first), GoTypeNames.ofContent(values.get(i))),
                        cost);
            }
        }
        return new EvaluationResult.Derived(list(first, values), cost);
    }

    private static Object unwrappedElement(Object value) {
        return unwrapped(value);
    }

    private static String kind(Object first) {
        return switch (first) {
            case Boolean _ -> "bool";
            case Long _ -> "int";
            case Semver _ -> "semver";
            default -> "string";
        };
    }

    private static AttributeValue list(Object first, List<?> values) {
        return switch (first) {
            case Boolean _ -> new AttributeValue.BoolList(cast(Boolean.class, values));
            case Long _ -> new AttributeValue.IntList(cast(Long.class, values));
            case Semver _ ->
                    new AttributeValue.VersionList(values.stream().map(Object::toString).toList());
            default -> new AttributeValue.StringList(cast(String.class, values));
        };
    }

    private static <T> List<T> cast(Class<T> type, List<?> values) {
        return values.stream().<T>map(type::cast).toList();
    }
}
