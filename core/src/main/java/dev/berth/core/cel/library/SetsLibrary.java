package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.CostRange;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.BiFunction;

/// cel-go's sets extension: lists as sets, without order and duplicates.
final class SetsLibrary {

    private SetsLibrary() {}

    static List<Overload> overloads() {
        return List.of(
                relation("contains", 1, SetsLibrary::contains),
                // Two sets are equal when each contains the other.
                relation("equivalent", 2, (a, b) -> contains(a, b) && contains(b, a)),
                relation("intersects", 1, SetsLibrary::intersects));
    }

    private static boolean contains(List<?> set, List<?> subset) {
        return subset.stream().allMatch(element -> isIn(set, element));
    }

    private static boolean intersects(List<?> a, List<?> b) {
        return a.stream().anyMatch(element -> isIn(b, element));
    }

    private static boolean isIn(List<?> list, Object element) {
        return list.stream().anyMatch(candidate -> CelValues.isEqual(element, candidate));
    }

    private static Overload relation(
            String name, int iterations, BiFunction<List<?>, List<?>, Boolean> relation) {
        var list = CelTypes.listOf(CelTypes.T);
        return new Overload(
                "sets." + name,
                "list_sets_%s_list".formatted(name),
                false,
                List.of(list, list),
                SimpleType.BOOL,
                arguments ->
                        arguments[0] instanceof List<?> a && arguments[1] instanceof List<?> b
                                ? relation.apply(a, b)
                                : CelError.noSuchOverload(),
                arguments ->
                        CallEstimate.of(
                                arguments
                                        .get(0)
                                        .size()
                                        .times(arguments.get(1).size())
                                        .times((double) iterations)
                                        .plus(CostRange.ONE)),
                (arguments, _) ->
                        1
                                + iterations
                                        * CelValues.sizeOf(arguments[0])
                                        * CelValues.sizeOf(arguments[1]));
    }
}
