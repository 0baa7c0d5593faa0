package dev.berth.core.cel.library;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Kubernetes' format library: validates strings, `format.dns1123Label().validate(text)`.
final class FormatLibrary {

    /// Size of a format in the estimate, which does not know the format and assumes a long one.
    private static final double REGEX_SIZE = 128;

    private FormatLibrary() {}

    static List<Overload> overloads() {
        var all = new ArrayList<Overload>();
        all.add(named());
        all.add(validate());
        for (var format : NamedFormat.values()) {
            var name = "format." + format.label();
            all.add(
                    new Overload(
                            name,
                            name,
                            false,
                            List.of(),
                            CelTypes.NAMED_FORMAT,
                            _ -> format,
                            Estimate.ONE,
                            Charge.ONE));
        }
        return List.copyOf(all);
    }

    private static Overload named() {
        return new Overload(
                "format.named",
                "format-named",
                false,
                List.of(SimpleType.STRING),
                OptionalType.create(CelTypes.NAMED_FORMAT),
                arguments ->
                        arguments[0] instanceof String name
                                ? Arrays.stream(NamedFormat.values())
                                        .filter(format -> format.label().equals(name))
                                        .findFirst()
                                : CelError.noSuchOverload(),
                Estimate.ONE,
                Charge.ONE);
    }

    private static Overload validate() {
        return new Overload(
                "validate",
                "format-validate",
                true,
                List.of(CelTypes.NAMED_FORMAT, SimpleType.STRING),
                OptionalType.create(CelTypes.listOf(SimpleType.STRING)),
                FormatLibrary::validate,
                FormatLibrary::estimate,
                (arguments, _) ->
                        arguments[0] instanceof NamedFormat format
                                ? CallCharges.regex(
                                        CelValues.sizeOf(arguments[1]), format.regexSize())
                                : 1);
    }

    private static Object validate(Object[] arguments) {
        if (!(arguments[0] instanceof NamedFormat format)
                || !(arguments[1] instanceof String text)) {
            return CelError.noSuchOverload();
        }
        var problems = format.problems(text);
        return problems.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(problems));
    }

    private static CallEstimate estimate(List<ArgumentEstimate> arguments) {
        return CallEstimate.of(
                arguments
                        .get(1)
                        .size()
                        .times(CallCharges.STRING_TRAVERSAL)
                        .times(REGEX_SIZE * CallCharges.REGEX_LENGTH));
    }
}
