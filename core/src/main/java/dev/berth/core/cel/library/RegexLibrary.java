package dev.berth.core.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.berth.core.cel.cost.ArgumentEstimate;
import dev.berth.core.cel.cost.CallEstimate;
import dev.berth.core.cel.cost.SizeRange;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Kubernetes' regex library: `find` and `findAll` in RE2 syntax, in linear time.
public final class RegexLibrary {

    private RegexLibrary() {}

    static List<Overload> overloads() {
        var strings = CelTypes.listOf(SimpleType.STRING);
        var two = List.<CelType>of(SimpleType.STRING, SimpleType.STRING);
        var three = List.<CelType>of(SimpleType.STRING, SimpleType.STRING, SimpleType.INT);
        return List.of(
                overload("find", "string_find_string", two, SimpleType.STRING),
                overload("findAll", "string_find_all_string", two, strings),
                overload("findAll", "string_find_all_string_int", three, strings));
    }

    private static Overload overload(
            String function, String id, List<CelType> types, CelType result) {
        return new Overload(
                function,
                id,
                true,
                types,
                result,
                arguments -> call(arguments, function.equals("findAll")),
                RegexLibrary::estimate,
                (arguments, _) ->
                        CallCharges.regex(
                                CelValues.sizeOf(arguments[0]), CelValues.sizeOf(arguments[1])));
    }

    private static CallEstimate estimate(List<ArgumentEstimate> arguments) {
        var text = arguments.get(0).size();
        return CallEstimate.of(
                CallCharges.regex(text, arguments.get(1).size()), new SizeRange(0, text.max()));
    }

    private static Object call(Object[] arguments, boolean all) {
        var limit = arguments.length == 2 ? -1L : arguments[2];
        if (!(arguments[0] instanceof String text)
                || !(arguments[1] instanceof String pattern)
                || !(limit instanceof Long count)) {
            return CelError.noSuchOverload();
        }
        return switch (PatternCheck.compile(pattern)) {
            case Pattern compiled when all -> findAll(text, compiled.matcher(text), count);
            case Pattern compiled -> find(compiled.matcher(text));
            case CelError failure -> new CelError("Illegal regex: " + failure.message());
            default -> CelError.noSuchOverload();
        };
    }

    private static Object find(Matcher matcher) {
        return matcher.find() ? matcher.group() : "";
    }

    /// All matches from left to right. An empty match directly after another match does not count.
    private static Object findAll(String text, Matcher matcher, long limit) {
        var most = limit < 0 ? text.length() + 1L : limit;
        var found = new ArrayList<Object>();
        var at = 0;
        var previousEnd = -1;
        while (found.size() < most && at <= text.length() && matcher.find(at)) {
            var end = matcher.end();
            var accept = end != at || matcher.start() != previousEnd;
            if (end > at) {
                at = end;
            } else {
                at = at < text.length() ? text.offsetByCodePoints(at, 1) : at + 1;
            }
            previousEnd = end;
            if (accept) {
                found.add(matcher.group());
            }
        }
        return Collections.unmodifiableList(found);
    }
}
