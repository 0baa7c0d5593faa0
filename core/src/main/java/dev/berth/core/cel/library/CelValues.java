package dev.berth.core.cel.library;

import static java.util.stream.Collectors.joining;

import dev.berth.core.text.GoText;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.Semver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Operations on CEL values: equality, order, map lookup, size and type names.
///
/// A value is a `Long` (int), [UInt], `Double`, `Boolean`, `String`, [CelBytes], [NullValue],
/// `List`, `Map`, `Duration`, `Instant` (timestamp), `Optional`, or a [KubernetesCelValue]. Errors
/// are returned as [CelError].
public final class CelValues {

    private static final double TWO_TO_63 = 0x1p63;
    private static final double TWO_TO_64 = 0x1p64;

    private CelValues() {}

    /// The result of `a == b`: a `Boolean`, or a [CelError] when a Kubernetes type is compared with
    /// another type. (`a != b` is then true: it is "not [#isEqual]".)
    public static Object equal(Object a, Object b) {
        if (a instanceof NullValue || b instanceof NullValue) {
            return a.equals(b);
        }
        return switch (a) {
            case Long _, UInt _, Double _ -> numbersEqual(a, b);
            case List<?> list -> b instanceof List<?> other && listsEqual(list, other);
            case Map<?, ?> map -> b instanceof Map<?, ?> other && mapsEqual(map, other);
            case Optional<?> option -> optionsEqual(option, b);
            case Quantity _ -> ofSameType(Quantity.class, a, b);
            case Semver _ -> ofSameType(Semver.class, a, b);
            case KubernetesCelValue object -> ofSameType(object.getClass(), a, b);
            default -> a.equals(b);
        };
    }

    /// True only when [#equal] is true; an error counts as different.
    public static boolean isEqual(Object a, Object b) {
        return Boolean.TRUE.equals(equal(a, b));
    }

    private static Object ofSameType(Class<?> type, Object a, Object b) {
        return type.isInstance(b) ? (Object) a.equals(b) : CelError.noSuchOverload();
    }

    private static boolean numbersEqual(Object a, Object b) {
        if (!isNumber(b) || isNan(a) || isNan(b)) {
            return false;
        }
        return compareNumbers(a, b) == 0;
    }

    // Elements of lists and maps differ only if `==` is false; an error does not count as
    // different.
    private static boolean isDifferent(Object a, Object b) {
        return Boolean.FALSE.equals(equal(a, b));
    }

    private static boolean listsEqual(List<?> a, List<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        var others = b.iterator();
        for (Object element : a) {
            if (isDifferent(element, others.next())) {
                return false;
            }
        }
        return true;
    }

    private static boolean mapsEqual(Map<?, ?> a, Map<?, ?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (var entry : a.entrySet()) {
            var other = find(b, entry.getKey());
            if (other.isEmpty() || isDifferent(entry.getValue(), other.get())) {
                return false;
            }
        }
        return true;
    }

    private static Object optionsEqual(Optional<?> a, Object b) {
        if (!(b instanceof Optional<?> other) || a.isPresent() != other.isPresent()) {
            return false;
        }
        if (a.isEmpty()) {
            return true;
        }
        return equal(a.get(), other.orElseThrow());
    }

    /// The value of a key; the numbers 1, 1u and 1.0 are equal keys.
    public static Optional<Object> find(Map<?, ?> map, Object key) {
        Object exact = map.get(key);
        if (exact != null) {
            return Optional.of(exact);
        }
        return switch (key) {
            case Long number when number >= 0 -> Optional.ofNullable(map.get(new UInt(number)));
            case UInt number when !number.exceedsInt() ->
                    Optional.ofNullable(map.get(number.bits()));
            case Double number -> findWhole(map, number);
            default -> Optional.empty();
        };
    }

    private static Optional<Object> findWhole(Map<?, ?> map, double key) {
        if (key != Math.rint(key) || key < -TWO_TO_63 || key >= TWO_TO_64) {
            return Optional.empty();
        }
        if (key < TWO_TO_63) {
            Object found = map.get((long) key);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return key < 0 ? Optional.empty() : Optional.ofNullable(map.get(toUInt(key)));
    }

    /// Whether the double is an integer from 0 to below 2^64.
    private static UInt toUInt(double whole) {
        return new UInt(
                whole < TWO_TO_63 ? (long) whole : (long) (whole - TWO_TO_63) + Long.MIN_VALUE);
    }

    /// The order of two values as -1, 0 or 1 in a `Long`, or a [CelError] when they are not
    /// comparable.
    public static Object compare(Object a, Object b) {
        if (isNumber(a) && isNumber(b)) {
            return isNan(a) || isNan(b)
                    ? new CelError("NaN values cannot be ordered")
                    : (Object) (long) compareNumbers(a, b);
        }
        return switch (a) {
            case Boolean x when b instanceof Boolean y -> (long) Boolean.compare(x, y);
            case String x when b instanceof String y -> (long) compareStrings(x, y);
            case CelBytes x when b instanceof CelBytes y -> (long) x.compareTo(y);
            case Duration x when b instanceof Duration y -> (long) Integer.signum(x.compareTo(y));
            case Instant x when b instanceof Instant y -> (long) Integer.signum(x.compareTo(y));
            default -> CelError.noSuchOverload();
        };
    }

    /// Whether the type supports `<` and sorting.
    public static boolean isComparable(Object value) {
        return switch (value) {
            case Boolean _, String _, CelBytes _, Duration _, Instant _ -> true;
            default -> isNumber(value);
        };
    }

    private static boolean isNumber(Object value) {
        return value instanceof Long || value instanceof UInt || value instanceof Double;
    }

    private static boolean isNan(Object value) {
        return value instanceof Double number && number.isNaN();
    }

    private static int compareNumbers(Object a, Object b) {
        return switch (a) {
            case Long x ->
                    switch (b) {
                        case Long y -> Long.compare(x, y);
                        case UInt y -> compareIntUInt(x, y);
                        default -> -compareDoubleInt((Double) b, x);
                    };
            case UInt x ->
                    switch (b) {
                        case Long y -> -compareIntUInt(y, x);
                        case UInt y -> x.compareTo(y);
                        default -> -compareDoubleUInt((Double) b, x);
                    };
            default -> compareDouble((Double) a, b);
        };
    }

    private static int compareDouble(double a, Object b) {
        return switch (b) {
            case Long y -> compareDoubleInt(a, y);
            case UInt y -> compareDoubleUInt(a, y);
            default -> compareDoubles(a, (Double) b);
        };
    }

    private static int compareIntUInt(long a, UInt b) {
        return a < 0 || b.exceedsInt() ? -1 : Long.compare(a, b.bits());
    }

    private static int compareDoubleInt(double a, long b) {
        if (a < -TWO_TO_63) {
            return -1;
        }
        return a > TWO_TO_63 ? 1 : compareDoubles(a, (double) b);
    }

    private static int compareDoubleUInt(double a, UInt b) {
        if (a < 0) {
            return -1;
        }
        return a > TWO_TO_64 ? 1 : compareDoubles(a, b.toDouble());
    }

    /// Unlike `Double.compare`, -0.0 equals 0.0.
    private static int compareDoubles(double a, double b) {
        if (a < b) {
            return -1;
        }
        return a > b ? 1 : 0;
    }

    /// Compares by code point, like UTF-8; `String.compareTo` would put U+10000 before U+FFFF.
    public static int compareStrings(String a, String b) {
        var common = Math.min(a.length(), b.length());
        for (var i = 0; i < common; i++) {
            var x = a.charAt(i);
            var y = b.charAt(i);
            if (x != y) {
                if (Character.isSurrogate(x) == Character.isSurrogate(y)) {
                    return x < y ? -1 : 1;
                }
                return Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /// The result of `size(x)`: code points, bytes, elements or entries; 1 for all other values.
    public static long sizeOf(Object value) {
        return switch (value) {
            case String text -> text.codePointCount(0, text.length());
            case CelBytes bytes -> bytes.size();
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case KubernetesCelValue object -> object.costSize();
            default -> 1;
        };
    }

    /// The name of a value's type as CEL prints it, such as `list` or `kubernetes.Semver`.
    public static String typeName(Object value) {
        return switch (value) {
            case Long _ -> "int";
            case UInt _ -> "uint";
            case Double _ -> "double";
            case Boolean _ -> "bool";
            case String _ -> "string";
            case CelBytes _ -> "bytes";
            case NullValue _ -> "null_type";
            case List<?> _ -> "list";
            case Map<?, ?> _ -> "map";
            case Duration _ -> "google.protobuf.Duration";
            case Instant _ -> "google.protobuf.Timestamp";
            case Optional<?> _ -> "optional_type";
            case Quantity _ -> CelTypes.QUANTITY.name();
            case Semver _ -> CelTypes.SEMVER.name();
            case KubernetesCelValue object -> object.celType().name();
            default -> "type";
        };
    }

    /// A value as it appears in messages.
    public static String toText(Object value) {
        return switch (value) {
            case Double number -> GoText.number(number);
            case List<?> list ->
                    list.stream().map(CelValues::toText).collect(joining(", ", "[", "]"));
            case Map<?, ?> map ->
                    map.entrySet().stream()
                            .map(entry -> toText(entry.getKey()) + ": " + toText(entry.getValue()))
                            .collect(joining(", ", "{", "}"));
            default -> value.toString();
        };
    }
}
