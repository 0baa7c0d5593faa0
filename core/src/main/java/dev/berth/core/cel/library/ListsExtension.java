package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.berth.core.cel.cost.SizeRange;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.IntStream;

/// cel-go's lists extension, version 3: slice, sort, distinct, flatten and others.
final class ListsExtension {

    private static final long CALL = 1;
    private static final long CREATE_LIST = 10;

    /// Sorting and distinct are charged as comparing every element with every other one, both ways.
    private static final double COMPARE_ALL = 2.0;

    private static final long MAX_RANGE = 10_000_000;

    private ListsExtension() {}

    static List<Overload> overloads() {
        var list = CelTypes.listOf(CelTypes.T);
        var all = new ArrayList<Overload>();
        all.add(slice(list));
        all.add(flatten("list_flatten", List.of(CelTypes.listOf(list)), list));
        var dynamic = CelTypes.listOf(SimpleType.DYN);
        all.add(flatten("list_flatten_int", List.of(dynamic, SimpleType.INT), dynamic));
        ElementTypes.comparable()
                .forEach((name, type) -> {
                    all.add(sort(name, type));
                    all.add(sortByKeys(name, type, list));
                });
        all.add(range());
        all.add(reverse(list));
        all.add(distinct(list));
        return List.copyOf(all);
    }

    private static Overload slice(CelType list) {
        return new Overload(
                "slice",
                "list_slice",
                true,
                List.of(list, SimpleType.INT, SimpleType.INT),
                list,
                arguments ->
                        arguments[0] instanceof List<?> elements
                                        && arguments[1] instanceof Long from
                                        && arguments[2] instanceof Long to
                                ? slice(elements, from, to)
                                : CelError.noSuchOverload(),
                ListsExtension::estimateSlice,
                (_, result) -> allocating(CelValues.sizeOf(result), 1));
    }

    private static Object slice(List<?> list, long from, long to) {
        var attempt = "cannot slice(%d, %d), ".formatted(from, to);
        if (from < 0 || to < 0) {
            return new CelError(attempt + "negative indexes not supported");
        }
        if (from > to) {
            return new CelError(attempt + "start index must be less than or equal to end index");
        }
        if (list.size() < to) {
            return new CelError(attempt + "list is length " + list.size());
        }
        return List.copyOf(list.subList((int) from, (int) to));
    }

    private static CallEstimate estimateSlice(List<ArgumentEstimate> arguments) {
        var from = nonNegative(arguments.get(1).literalOr(0));
        var to = nonNegative(arguments.get(2).literalOr(arguments.getFirst().size().max()));
        return allocating(SizeRange.exactly(from > to ? Long.MAX_VALUE : to - from), 1);
    }

    private static Overload flatten(String id, List<CelType> types, CelType result) {
        return new Overload(
                "flatten",
                id,
                true,
                types,
                result,
                ListsExtension::flatten,
                arguments -> allocating(arguments.getFirst().size(), depth(arguments)),
                (arguments, _) -> allocating(CelValues.sizeOf(arguments[0]), depth(arguments)));
    }

    private static double depth(List<ArgumentEstimate> arguments) {
        return arguments.size() > 1
                ? (double) nonNegative(arguments.get(1).literalOr(Long.MAX_VALUE))
                : 1;
    }

    private static double depth(Object[] arguments) {
        return arguments.length > 1 && arguments[1] instanceof Long depth ? (double) depth : 1;
    }

    private static Object flatten(Object[] arguments) {
        var depth = arguments.length == 1 ? 1L : arguments[1];
        if (!(arguments[0] instanceof List<?> list) || !(depth instanceof Long levels)) {
            return CelError.noSuchOverload();
        }
        if (levels < 0) {
            return new CelError("level must be non-negative");
        }
        // Iterates by level instead of recursing: the depth is untrusted input.
        List<Object> flat = new ArrayList<>(list);
        for (var level = 0L;
                level < levels && flat.stream().anyMatch(List.class::isInstance);
                level++) {
            var next = new ArrayList<Object>();
            for (var element : flat) {
                if (element instanceof List<?> nested) {
                    next.addAll(nested);
                } else {
                    next.add(element);
                }
                if (next.size() > ResultLimits.MAX_ELEMENTS) {
                    return ResultLimits.tooManyElements("flatten");
                }
            }
            flat = next;
        }
        return Collections.unmodifiableList(flat);
    }

    private static Overload sort(String name, CelType type) {
        return new Overload(
                "sort",
                "list_%s_sort".formatted(ElementTypes.qualifiedName(name)),
                true,
                List.of(CelTypes.listOf(type)),
                CelTypes.listOf(type),
                arguments ->
                        arguments[0] instanceof List<?> list
                                ? sortBy(list, list)
                                : CelError.noSuchOverload(),
                arguments -> comparingAll(arguments.get(0).size(), type),
                (arguments, _) -> comparingAll(arguments[0]));
    }

    private static Overload sortByKeys(String name, CelType type, CelType list) {
        return new Overload(
                "@sortByAssociatedKeys",
                "list_%s_sortByAssociatedKeys".formatted(ElementTypes.qualifiedName(name)),
                true,
                List.of(list, CelTypes.listOf(type)),
                list,
                arguments ->
                        arguments[0] instanceof List<?> elements
                                        && arguments[1] instanceof List<?> keys
                                ? sortBy(elements, keys)
                                : CelError.noSuchOverload(),
                arguments -> comparingAll(arguments.get(1).size(), type),
                (arguments, _) -> comparingAll(arguments[1]));
    }

    private static Object sortBy(List<?> list, List<?> keys) {
        if (list.size() != keys.size()) {
            return new CelError(
                    "@sortByAssociatedKeys() expected a list of the same size as the associated"
                            + " keys list, but got %d and %d elements respectively"
                                    .formatted(list.size(), keys.size()));
        }
        if (list.isEmpty()) {
            return list;
        }
        if (!CelValues.isComparable(keys.getFirst())) {
            return new CelError("list elements must be comparable");
        }
        var type = CelValues.typeName(keys.getFirst());
        if (!keys.stream().allMatch(key -> CelValues.typeName(key).equals(type))) {
            return new CelError("list elements must have the same type");
        }
        return IntStream.range(0, keys.size())
                .boxed()
                .sorted((a, b) -> order(keys.get(a), keys.get(b)))
                .<Object>map(list::get)
                .toList();
    }

    /// NaN sorts after all other numbers, so that the order is total.
    private static int order(Object a, Object b) {
        if (a instanceof Double x && b instanceof Double y && (x.isNaN() || y.isNaN())) {
            return Double.compare(x, y);
        }
        return CelValues.compare(a, b) instanceof Long order ? order.intValue() : 0;
    }

    private static Overload range() {
        return new Overload(
                "lists.range",
                "lists_range",
                false,
                List.of(SimpleType.INT),
                CelTypes.listOf(SimpleType.INT),
                arguments ->
                        arguments[0] instanceof Long size ? range(size) : CelError.noSuchOverload(),
                arguments ->
                        allocating(
                                SizeRange.exactly(
                                        nonNegative(
                                                arguments.getFirst().literalOr(Long.MAX_VALUE))),
                                1),
                (_, result) -> allocating(CelValues.sizeOf(result), 1));
    }

    private static Object range(long size) {
        if (size < 0) {
            return new CelError("lists.range: size must be non-negative, got " + size);
        }
        if (size > MAX_RANGE) {
            return new CelError(
                    "lists.range: size %d exceeds maximum allowed (%d)".formatted(size, MAX_RANGE));
        }
        return new Range((int) size);
    }

    private static Overload reverse(CelType list) {
        return new Overload(
                "reverse",
                "list_reverse",
                true,
                List.of(list),
                list,
                arguments ->
                        arguments[0] instanceof List<?> elements
                                ? List.copyOf(elements.reversed())
                                : CelError.noSuchOverload(),
                arguments -> allocating(arguments.getFirst().size(), 1),
                (_, result) -> allocating(CelValues.sizeOf(result), 1));
    }

    private static Overload distinct(CelType list) {
        return new Overload(
                "distinct",
                "list_distinct",
                true,
                List.of(list),
                list,
                arguments ->
                        arguments[0] instanceof List<?> elements
                                ? distinct(elements)
                                : CelError.noSuchOverload(),
                arguments -> comparingAll(arguments.getFirst().size(), SimpleType.DYN),
                (arguments, _) -> comparingAll(arguments[0]));
    }

    private static Object distinct(List<?> list) {
        // The square of a larger size exceeds the cost limit, so the call fails immediately.
        if ((long) list.size() * list.size() > ResultLimits.MAX_ELEMENTS) {
            return ResultLimits.tooManyElements("distinct");
        }
        var unique = new ArrayList<Object>();
        for (Object element : list) {
            if (unique.stream().noneMatch(seen -> CelValues.isEqual(element, seen))) {
                unique.add(element);
            }
        }
        return Collections.unmodifiableList(unique);
    }

    private static long nonNegative(long number) {
        return Math.max(number, 0);
    }

    private static CallEstimate allocating(SizeRange size, double perElement) {
        return CallEstimate.of(
                size.times(perElement)
                        .plus(CostRange.exactly(CALL))
                        .plus(CostRange.exactly(CREATE_LIST)),
                size);
    }

    private static long allocating(long size, double perElement) {
        return (long) (size * perElement) + CALL + CREATE_LIST;
    }

    private static CallEstimate comparingAll(SizeRange size, CelType element) {
        var text = ElementTypes.isText(element) ? CallCharges.STRING_TRAVERSAL : 0;
        return allocating(size.times(size), COMPARE_ALL + text);
    }

    private static long comparingAll(Object list) {
        var size = CelValues.sizeOf(list);
        var isText =
                list instanceof List<?> elements
                        && !elements.isEmpty()
                        && (elements.getFirst() instanceof String
                                || elements.getFirst() instanceof CelBytes);
        return allocating(size * size, COMPARE_ALL + (isText ? CallCharges.STRING_TRAVERSAL : 0));
    }

    /// A lazy list of the integers from 0: the cost of a range is charged after the call, so the
    /// call must not allocate the elements.
    private static final class Range extends AbstractList<Object> implements RandomAccess {

        private final int size;

        private Range(int size) {
            this.size = size;
        }

        @Override
        public Object get(int index) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(index);
            }
            return (long) index;
        }

        @Override
        public int size() {
            return size;
        }
    }
}
