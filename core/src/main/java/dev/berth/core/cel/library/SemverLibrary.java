package dev.berth.core.cel.library;

import static dev.berth.core.cel.library.CelTypes.SEMVER;

import dev.berth.core.cel.library.Overload.Call;
import dev.berth.core.cel.library.Overload.Charge;
import dev.berth.core.cel.library.Overload.Estimate;
import dev.berth.model.quantity.Semver;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Function;

/// Kubernetes' semver library: `semver("1.2.3")`, and `semver("v1.2", true)` to normalize first.
final class SemverLibrary {

    private SemverLibrary() {}

    static List<Overload> overloads() {
        return List.of(
                reading("semver", "string_to_semver", SEMVER, false, version -> version),
                reading("semver", "string_bool_to_semver", SEMVER, true, version -> version),
                reading(
                        "isSemver",
                        "is_semver_string",
                        SimpleType.BOOL,
                        false,
                        Semver.class::isInstance),
                reading(
                        "isSemver",
                        "is_semver_string_bool",
                        SimpleType.BOOL,
                        true,
                        Semver.class::isInstance),
                accessor("major", "semver_major", Semver::major),
                accessor("minor", "semver_minor", Semver::minor),
                accessor("patch", "semver_patch", Semver::patch),
                comparing(
                        "isGreaterThan",
                        "semver_is_greater_than",
                        SimpleType.BOOL,
                        order -> order > 0),
                comparing("isLessThan", "semver_is_less_than", SimpleType.BOOL, order -> order < 0),
                comparing("compareTo", "semver_compare_to", SimpleType.INT, order -> (long) order));
    }

    private static Object parse(String text, boolean tolerant) {
        try {
            return tolerant ? Semver.parseTolerantly(text) : Semver.parse(text);
        } catch (IllegalArgumentException e) {
            return new CelError(String.valueOf(e.getMessage()));
        }
    }

    private static Overload reading(
            String function,
            String id,
            CelType result,
            boolean withFlag,
            Function<Object, Object> answer) {
        Call call =
                arguments -> {
                    if (!(arguments[0] instanceof String text)) {
                        return CelError.noSuchOverload();
                    }
                    if (!withFlag) {
                        return answer.apply(parse(text, false));
                    }
                    return arguments[1] instanceof Boolean tolerant
                            ? answer.apply(parse(text, tolerant))
                            : CelError.noSuchOverload();
                };
        return new Overload(
                function,
                id,
                false,
                withFlag ? List.of(SimpleType.STRING, SimpleType.BOOL) : List.of(SimpleType.STRING),
                result,
                call,
                CallCharges::traversal,
                (arguments, _) -> CallCharges.traversal(arguments));
    }

    private static Overload accessor(String function, String id, Function<Semver, Object> read) {
        Call call =
                arguments ->
                        arguments[0] instanceof Semver version
                                ? read.apply(version)
                                : CelError.noSuchOverload();
        return new Overload(
                function,
                id,
                true,
                List.of(SEMVER),
                SimpleType.INT,
                call,
                Estimate.ONE,
                Charge.ONE);
    }

    private static Overload comparing(
            String function, String id, CelType result, Function<Integer, Object> read) {
        Call call =
                arguments ->
                        arguments[0] instanceof Semver a && arguments[1] instanceof Semver b
                                ? read.apply(a.compareTo(b))
                                : CelError.noSuchOverload();
        return new Overload(
                function,
                id,
                true,
                List.of(SEMVER, SEMVER),
                result,
                call,
                Estimate.ONE,
                Charge.ONE);
    }
}
