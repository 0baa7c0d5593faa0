package dev.berth.core.cel.library;

import static dev.cel.common.types.SimpleType.INT;
import static dev.cel.common.types.SimpleType.STRING;

import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.SizeRange;
import dev.berth.core.cel.library.Overload.Call;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/// cel-go's strings extension, version 2. Indexes count code points.
final class StringsExtension {

    private static final Charge TRAVERSAL = (arguments, _) -> CallCharges.traversal(arguments);
    private static final Charge TWO_TRAVERSALS =
            (arguments, _) -> CallCharges.twoTraversals(arguments);
    private static final Charge WALK = (arguments, _) -> CallCharges.walk(arguments[0]);

    private StringsExtension() {}

    static List<Overload> overloads() {
        var all = new ArrayList<Overload>();
        all.addAll(positions());
        all.addAll(transformations());
        all.addAll(listsAndFormats());
        return List.copyOf(all);
    }

    private static List<Overload> positions() {
        Estimate search = KubernetesListsLibrary::walk;
        var text = List.<CelType>of(STRING, STRING);
        var textAt = List.<CelType>of(STRING, STRING, INT);
        return List.of(
                member(
                        "charAt",
                        "string_char_at_int",
                        List.of(STRING, INT),
                        STRING,
                        TextFunctions::charAt,
                        Estimate.ONE,
                        Charge.ONE),
                member(
                        "indexOf",
                        "string_index_of_string",
                        text,
                        INT,
                        TextFunctions::indexOf,
                        search,
                        WALK),
                member(
                        "indexOf",
                        "string_index_of_string_int",
                        textAt,
                        INT,
                        TextFunctions::indexOf,
                        search,
                        WALK),
                member(
                        "lastIndexOf",
                        "string_last_index_of_string",
                        text,
                        INT,
                        TextFunctions::lastIndexOf,
                        search,
                        WALK),
                member(
                        "lastIndexOf",
                        "string_last_index_of_string_int",
                        textAt,
                        INT,
                        TextFunctions::lastIndexOf,
                        search,
                        WALK));
    }

    private static List<Overload> transformations() {
        return List.of(
                transformation("lowerAscii", "string_lower_ascii", List.of(STRING)),
                transformation("upperAscii", "string_upper_ascii", List.of(STRING)),
                transformation("trim", "string_trim", List.of(STRING)),
                transformation("substring", "string_substring_int", List.of(STRING, INT)),
                transformation("substring", "string_substring_int_int", List.of(STRING, INT, INT)),
                replacement("string_replace_string_string", List.of(STRING, STRING, STRING)),
                replacement(
                        "string_replace_string_string_int", List.of(STRING, STRING, STRING, INT)));
    }

    private static List<Overload> listsAndFormats() {
        var strings = CelTypes.listOf(STRING);
        return List.of(
                split("string_split_string", List.of(STRING, STRING), strings),
                split("string_split_string_int", List.of(STRING, STRING, INT), strings),
                join("list_join", List.of(strings)),
                join("list_join_string", List.of(strings, STRING)),
                member(
                        "format",
                        "string_format",
                        List.of(STRING, CelTypes.listOf(SimpleType.DYN)),
                        STRING,
                        StringFormat::call,
                        CallCharges::traversal,
                        TRAVERSAL),
                new Overload(
                        "strings.quote",
                        "strings_quote",
                        false,
                        List.of(STRING),
                        STRING,
                        TextFunctions::quote,
                        StringsExtension::estimateQuote,
                        TRAVERSAL));
    }

    private static CallEstimate estimateQuote(List<ArgumentEstimate> arguments) {
        var size = arguments.getFirst().size();
        // Two quotes; at worst every character is escaped with a backslash.
        var quotes = SizeRange.exactly(2);
        var result =
                new SizeRange(
                        size.plus(quotes).min(),
                        size.times(SizeRange.exactly(2)).plus(quotes).max());
        return CallEstimate.of(size.times(CallCharges.STRING_TRAVERSAL), result);
    }

    private static Overload transformation(String function, String id, List<CelType> types) {
        Call call =
                switch (function) {
                    case "lowerAscii" -> arguments -> TextFunctions.ascii(arguments, 'A', 'Z', 32);
                    case "upperAscii" -> arguments -> TextFunctions.ascii(arguments, 'a', 'z', -32);
                    case "trim" -> TextFunctions::trim;
                    default -> TextFunctions::substring;
                };
        return member(
                function,
                id,
                types,
                STRING,
                call,
                arguments -> {
                    var size = arguments.getFirst().size();
                    return CallEstimate.of(size.times(CallCharges.STRING_TRAVERSAL), size);
                },
                TRAVERSAL);
    }

    private static Overload replacement(String id, List<CelType> types) {
        return member(
                "replace",
                id,
                types,
                STRING,
                TextFunctions::replace,
                arguments -> {
                    var size = arguments.get(0).size();
                    return CallEstimate.of(
                            size.times(2 * CallCharges.STRING_TRAVERSAL),
                            replaced(size, arguments.get(1).size(), arguments.get(2).size()));
                },
                TWO_TRAVERSALS);
    }

    /// Sizes of a string after replacement, from the shortest and longest patterns and
    /// replacements.
    static SizeRange replaced(SizeRange text, SizeRange old, SizeRange with) {
        long maxCount = 0;
        long maxKept = 0;
        if (old.min() == 0) {
            maxCount = plusOne(text.max());
            maxKept = text.max();
        } else if (with.max() <= old.min()) {
            maxKept = text.max();
        } else {
            maxCount = (long) Math.ceil((double) text.max() / (double) old.min());
        }
        long minCount = 0;
        long minKept = 0;
        if (old.max() == 0) {
            minCount = plusOne(text.min());
            minKept = text.min();
        } else if (old.max() <= with.min()) {
            minKept = text.min();
        } else {
            minCount = (long) Math.ceil((double) text.min() / (double) old.max());
        }
        return new SizeRange(minCount, maxCount).times(with).plus(new SizeRange(minKept, maxKept));
    }

    private static long plusOne(long size) {
        return size == Long.MAX_VALUE ? size : size + 1;
    }

    private static Overload split(String id, List<CelType> types, CelType result) {
        return member(
                "split",
                id,
                types,
                result,
                TextFunctions::split,
                arguments -> {
                    var size = arguments.getFirst().size();
                    var most =
                            arguments.size() > 2
                                    ? arguments.get(2).literalOr(size.max())
                                    : size.max();
                    // A negative limit means unlimited.
                    return CallEstimate.of(
                            size.times(2 * CallCharges.STRING_TRAVERSAL),
                            new SizeRange(0, most < 0 ? Long.MAX_VALUE : most));
                },
                TWO_TRAVERSALS);
    }

    private static Overload join(String id, List<CelType> types) {
        return member(
                "join",
                id,
                types,
                STRING,
                TextFunctions::join,
                StringsExtension::estimateJoin,
                (_, result) ->
                        CallCharges.scaled(
                                CelValues.sizeOf(result), 2 * CallCharges.STRING_TRAVERSAL));
    }

    private static CallEstimate estimateJoin(List<ArgumentEstimate> arguments) {
        var list = arguments.getFirst();
        var count = list.size();
        var size =
                list.elementType().isPresent()
                        ? count.times(list.elementSize())
                        : SizeRange.exactly(0);
        if (arguments.size() > 1) {
            var gaps = new SizeRange(Math.max(count.min() - 1, 0), Math.max(count.max() - 1, 0));
            size = size.plus(arguments.get(1).size().times(gaps));
        }
        return CallEstimate.of(size.times(CallCharges.STRING_TRAVERSAL), size);
    }

    private static Overload member(
            String function,
            String id,
            List<CelType> types,
            CelType result,
            Call call,
            Estimate estimate,
            Charge charge) {
        return new Overload(function, id, true, types, result, call, estimate, charge);
    }
}
