package dev.berth.core.cel.library;

import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Functions of optional values on lists. The other functions of optional values are part of the
/// language.
final class OptionalsExtension {

    private OptionalsExtension() {}

    static List<Overload> overloads() {
        var list = CelTypes.listOf(CelTypes.T);
        var option = OptionalType.create(CelTypes.T);
        var options = CelTypes.listOf(option);
        return List.of(
                overload(true, "first", "list_first", list, option, OptionalsExtension::first),
                overload(true, "last", "list_last", list, option, OptionalsExtension::last),
                overload(
                        false,
                        "optional.unwrap",
                        "optional_unwrap_list",
                        options,
                        list,
                        OptionalsExtension::unwrap),
                overload(
                        true,
                        "unwrapOpt",
                        "optional_unwrapOpt_list",
                        options,
                        list,
                        OptionalsExtension::unwrap));
    }

    private static Overload overload(
            boolean member,
            String function,
            String id,
            CelType argument,
            CelType result,
            Function<List<?>, Object> call) {
        return new Overload(
                function,
                id,
                member,
                List.of(argument),
                result,
                arguments ->
                        arguments[0] instanceof List<?> list
                                ? call.apply(list)
                                : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }

    private static Object first(List<?> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.getFirst());
    }

    private static Object last(List<?> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(list.getLast());
    }

    private static Object unwrap(List<?> list) {
        var present = new ArrayList<Object>();
        for (var element : list) {
            if (!(element instanceof Optional<?> option)) {
                return CelError.noSuchOverload();
            }
            option.ifPresent(present::add);
        }
        return List.copyOf(present);
    }
}
