package dev.berth.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Checks a constant `format` string against a constant list of arguments.
final class FormatTemplate {

    private static final Set<CelKind> INTEGERS = EnumSet.of(CelKind.INT, CelKind.UINT);
    // The strings `NaN` and `Infinity` can be formatted as numbers.
    private static final Set<CelKind> DOUBLES = EnumSet.of(CelKind.DOUBLE, CelKind.STRING);
    private static final Set<CelKind> BITS = EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.BOOL);
    private static final Set<CelKind> HEXADECIMALS =
            EnumSet.of(CelKind.INT, CelKind.UINT, CelKind.STRING, CelKind.BYTES);
    private static final Set<CelKind> STRINGS =
            EnumSet.of(
                    CelKind.STRING,
                    CelKind.BOOL,
                    CelKind.BYTES,
                    CelKind.INT,
                    CelKind.UINT,
                    CelKind.DOUBLE,
                    CelKind.MAP,
                    CelKind.LIST,
                    CelKind.TYPE,
                    CelKind.DURATION,
                    CelKind.TIMESTAMP,
                    CelKind.NULL_TYPE);

    /// An error in the template or an argument.
    ///
    /// @param expr the invalid argument, or empty if the template is invalid
    record Problem(String message, OptionalLong expr) {}

    private final String template;
    private final List<CelExpr> arguments;
    private final CelAbstractSyntaxTree ast;
    private int used;

    private FormatTemplate(String template, List<CelExpr> arguments, CelAbstractSyntaxTree ast) {
        this.template = template;
        this.arguments = arguments;
        this.ast = ast;
    }

    static Optional<Problem> problem(
            String template, List<CelExpr> arguments, CelAbstractSyntaxTree ast) {
        return new FormatTemplate(template, arguments, ast).problem();
    }

    private Optional<Problem> problem() {
        var at = 0;
        while (at < template.length()) {
            if (template.charAt(at++) != '%') {
                continue;
            }
            if (at == template.length()) {
                return inTemplate("unexpected end of string");
            }
            if (template.charAt(at) == '%') {
                at++;
                continue;
            }
            if (used >= arguments.size()) {
                return inTemplate("index " + used + " out of range");
            }
            var verb = afterPrecision(at);
            if (verb == template.length()) {
                return inClause(
                        "error while parsing precision: could not find end of precision specifier");
            }
            if (verb == at + 1 && template.charAt(at) == '.') {
                return inClause(
                        "error while parsing precision: error while converting precision to"
                                + " integer: strconv.Atoi: parsing \"\": invalid syntax");
            }
            var problem = clause(template.charAt(verb), arguments.get(used));
            if (problem.isPresent()) {
                return problem;
            }
            at = verb + 1;
            used++;
        }
        return used == arguments.size()
                ? Optional.empty()
                : inTemplate(
                        "too many arguments supplied to string.format (expected %d, got %d)"
                                .formatted(used, arguments.size()));
    }

    /// The index after a precision such as `.2`, if there is one.
    private int afterPrecision(int start) {
        var at = start;
        if (template.charAt(at) == '.') {
            at++;
            while (at < template.length() && "0123456789".indexOf(template.charAt(at)) >= 0) {
                at++;
            }
        }
        return at;
    }

    private Optional<Problem> clause(char verb, CelExpr argument) {
        return switch (verb) {
            case 's' -> requireStrings(argument);
            case 'd' -> require(INTEGERS, argument, "decimal clause can only be used on integers");
            case 'f' ->
                    require(DOUBLES, argument, "fixed-point clause can only be used on doubles");
            case 'e' -> require(DOUBLES, argument, "scientific clause can only be used on doubles");
            case 'b' ->
                    require(BITS, argument, "only integers and bools can be formatted as binary");
            case 'o' -> require(INTEGERS, argument, "octal clause can only be used on integers");
            case 'x', 'X' ->
                    require(
                            HEXADECIMALS,
                            argument,
                            "only integers, byte buffers, and strings can be formatted as hex");
            default -> inClause("unrecognized formatting clause \"" + verb + "\"");
        };
    }

    /// Lists and maps can be formatted as strings only if all their elements can.
    private Optional<Problem> requireStrings(CelExpr argument) {
        var problem =
                require(
                        STRINGS,
                        argument,
                        "string clause can only be used on strings, bools, bytes, ints, doubles,"
                                + " maps, lists, types, durations, and timestamps");
        return problem.or(() ->
                switch (argument.getKind()) {
                    case LIST -> first(argument.list().elements());
                    case MAP ->
                            argument.map().entries().stream()
                                    .map(entry -> first(List.of(entry.key(), entry.value())))
                                    .flatMap(Optional::stream)
                                    .findFirst();
                    default -> Optional.empty();
                });
    }

    private Optional<Problem> first(List<CelExpr> parts) {
        return parts.stream().map(this::requireStrings).flatMap(Optional::stream).findFirst();
    }

    private Optional<Problem> require(Set<CelKind> kinds, CelExpr argument, String rule) {
        CelType type = ast.getType(argument.id()).orElse(SimpleType.DYN);
        if (type.kind() == CelKind.DYN || kinds.contains(type.kind())) {
            return Optional.empty();
        }
        var message = "error during formatting: " + rule + ", was given " + type.name();
        return Optional.of(new Problem(message, OptionalLong.of(argument.id())));
    }

    private static Optional<Problem> inClause(String message) {
        return inTemplate("could not parse formatting clause: " + message);
    }

    private static Optional<Problem> inTemplate(String message) {
        return Optional.of(new Problem(message, OptionalLong.empty()));
    }
}
