package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.library.Overload.Call;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Kubernetes' list library: sum, min, max, indexOf and others.
final class KubernetesListsLibrary {

    private static final Map<String, Object> ZEROS =
            Map.of("int", 0L, "uint", UInt.ZERO, "double", 0.0, "duration", Duration.ZERO);

    private KubernetesListsLibrary() {}

    /// The functions of version 0.
    static List<Overload> overloads() {
        var all = new ArrayList<Overload>();
        ElementTypes.comparable()
                .forEach((name, type) -> {
                    all.add(isSorted(name, type));
                    all.add(extreme("max", name, type, -1));
                    all.add(extreme("min", name, type, 1));
                });
        for (var name : List.of("int", "uint", "double", "duration")) {
            all.add(sum(name));
        }
        all.add(position("indexOf", "list_a_index_of_int", KubernetesListsLibrary::indexOf));
        all.add(
                position(
                        "lastIndexOf",
                        "list_a_last_index_of_int",
                        KubernetesListsLibrary::lastIndexOf));
        return List.copyOf(all);
    }

    /// `x.includes(y)`, which treats a value that is not a list as a list of one element.
    static List<Overload> includes() {
        return List.of(
                new Overload(
                        "includes",
                        "list_includes_dyn_dyn",
                        true,
                        List.of(SimpleType.DYN, SimpleType.DYN),
                        SimpleType.BOOL,
                        KubernetesListsLibrary::includes,
                        arguments ->
                                CallEstimate.of(arguments.getFirst().size().times(CostRange.ONE)),
                        (arguments, _) -> CallCharges.walk(arguments[0])));
    }

    private static Object includes(Object[] arguments) {
        if (!(arguments[0] instanceof List<?> list)) {
            return CelValues.isEqual(arguments[0], arguments[1]);
        }
        for (Object element : list) {
            if (CelValues.isEqual(element, arguments[1])) {
                return true;
            }
        }
        return false;
    }

    private static Overload isSorted(String name, CelType type) {
        return onList(
                "isSorted",
                "list_%s_is_sorted_bool".formatted(name),
                List.of(CelTypes.listOf(type)),
                SimpleType.BOOL,
                on(KubernetesListsLibrary::isSorted));
    }

    private static Object isSorted(List<?> list) {
        Object previous = null;
        for (Object element : list) {
            if (!CelValues.isComparable(element)) {
                return CelError.noSuchOverload();
            }
            if (previous != null && CelValues.compare(previous, element).equals(1L)) {
                return false;
            }
            previous = element;
        }
        return true;
    }

    private static Overload extreme(String function, String name, CelType type, long replace) {
        return onList(
                function,
                "list_%s_%s_%s".formatted(name, function, name),
                List.of(CelTypes.listOf(type)),
                type,
                on(list -> extreme(function, list, replace)));
    }

    /// The minimum or maximum; `replace` is the order of the best element so far and a better one.
    private static Object extreme(String function, List<?> list, long replace) {
        Object best = null;
        for (Object element : list) {
            if (!CelValues.isComparable(element)) {
                return CelError.noSuchOverload();
            }
            if (best == null || CelValues.compare(best, element).equals(replace)) {
                best = element;
            }
        }
        return best == null ? new CelError(function + " called on empty list") : best;
    }

    private static Overload sum(String name) {
        var type = ElementTypes.comparable().getOrDefault(name, SimpleType.DYN);
        var zero = ZEROS.getOrDefault(name, 0L);
        return onList(
                "sum",
                "list_%s_sum_%s".formatted(name, name),
                List.of(CelTypes.listOf(type)),
                type,
                on(list -> sum(list, zero)));
    }

    private static Object sum(List<?> list, Object zero) {
        var sum = zero;
        for (Object element : list) {
            sum = add(sum, element);
            if (sum instanceof CelError) {
                return sum;
            }
        }
        return sum;
    }

    private static Object add(Object a, Object b) {
        return switch (a) {
            case Long x when b instanceof Long y -> addInts(x, y);
            case UInt x when b instanceof UInt y -> addUInts(x, y);
            case Double x when b instanceof Double y -> x + y;
            case Duration x when b instanceof Duration y -> addDurations(x, y);
            default -> CelError.noSuchOverload();
        };
    }

    // The error of upstream: an overflow yields an error value, to which nothing can be added.
    private static Object addInts(long a, long b) {
        var sum = a + b;
        return ((a ^ sum) & (b ^ sum)) < 0 ? CelError.noSuchOverload() : (Object) sum;
    }

    private static Object addUInts(UInt a, UInt b) {
        var sum = new UInt(a.bits() + b.bits());
        return sum.compareTo(a) < 0 ? CelError.noSuchOverload() : sum;
    }

    private static Object addDurations(Duration a, Duration b) {
        try {
            var sum = a.plus(b);
            // A duration is limited to 64-bit nanoseconds.
            return Duration.ofNanos(sum.toNanos());
        } catch (ArithmeticException e) {
            return CelError.noSuchOverload();
        }
    }

    private static Overload position(
            String function, String id, Function<Object[], Object> position) {
        return onList(
                function,
                id,
                List.of(CelTypes.listOf(CelTypes.A), CelTypes.A),
                SimpleType.INT,
                arguments ->
                        arguments[0] instanceof List<?>
                                ? position.apply(arguments)
                                : CelError.noSuchOverload());
    }

    private static Object indexOf(Object[] arguments) {
        var index = 0L;
        for (Object element : (List<?>) arguments[0]) {
            if (CelValues.isEqual(element, arguments[1])) {
                return index;
            }
            index++;
        }
        return -1L;
    }

    private static Object lastIndexOf(Object[] arguments) {
        var list = (List<?>) arguments[0];
        for (var i = list.size() - 1; i >= 0; i--) {
            if (CelValues.isEqual(list.get(i), arguments[1])) {
                return (long) i;
            }
        }
        return -1L;
    }

    private static Call on(Function<List<?>, Object> function) {
        return arguments ->
                arguments[0] instanceof List<?> list
                        ? function.apply(list)
                        : CelError.noSuchOverload();
    }

    private static Overload onList(
            String function, String id, List<CelType> arguments, CelType result, Call call) {
        Estimate estimate = KubernetesListsLibrary::walk;
        return new Overload(
                function,
                id,
                true,
                arguments,
                result,
                call,
                estimate,
                (values, _) -> CallCharges.walk(values[0]));
    }

    /// One step per element, and a scan of its characters. Arguments that the checker does not know
    /// as lists are charged as strings, for which two of these functions exist as well.
    static CallEstimate walk(List<ArgumentEstimate> arguments) {
        var receiver = arguments.getFirst();
        var element = receiver.elementType();
        if (element.isEmpty()) {
            return CallCharges.traversal(arguments);
        }
        var perElement =
                ElementTypes.isText(element.get())
                        ? CostRange.ONE.plus(
                                receiver.elementSize().times(CallCharges.STRING_TRAVERSAL))
                        : CostRange.ONE;
        return CallEstimate.of(receiver.size().times(perElement));
    }
}
