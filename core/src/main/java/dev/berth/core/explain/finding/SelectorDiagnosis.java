package dev.berth.core.explain.finding;

import dev.berth.core.explain.SelectorEvaluation;
import dev.berth.core.explain.finding.PublishedNames.NameMistake;
import dev.berth.model.api.meta.QualifiedName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Explains why a part of a selector matches no device: a name that no device has, a comparison of
/// different types, or other values.
public final class SelectorDiagnosis {

    private static final Pattern INDEX = Pattern.compile("(?<=\\w)\\[(?:\"[^\"]*\"|'[^']*')\\]");
    private static final Pattern COMPARE_TO_ZERO =
            Pattern.compile("(\\.compareTo\\(.*\\)\\s*)(<=|>=|==|!=|<|>)\\s*-?[01]\\s*$");
    private static final Pattern QUANTITY = Pattern.compile("\\bquantity\\(");
    private static final Pattern VERSION = Pattern.compile("\\bsemver\\(");
    private static final Pattern STRING = Pattern.compile("\"[^\"]*\"|'[^']*'");
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])-?\\d+(\\.\\d+)?(?![\\w.])");
    private static final Pattern BOOLEAN = Pattern.compile("\\b(?:true|false)\\b");

    private final SelectorEvaluation selectors;
    private final PublishedNames names;

    public SelectorDiagnosis(SelectorEvaluation selectors, PublishedNames names) {
        this.selectors = selectors;
        this.names = names;
    }

    /// The mistake in a part of a selector; empty when the part is well-formed for the published
    /// devices.
    ///
    /// @param drivers drivers with devices of the class
    public Optional<String> mistake(String part, Set<String> drivers) {
        return nameMistakes(part, drivers).stream()
                .findFirst()
                .map(NameMistake::text)
                .or(() -> typeMistake(part));
    }

    /// Names in an expression that no device has.
    public List<NameMistake> nameMistakes(String expression, Set<String> drivers) {
        return selectors
                .program(expression)
                .map(program ->
                        Stream.concat(
                                        sorted(program.reads().attributes()).stream()
                                                .flatMap(name ->
                                                        names
                                                                .attributeMistake(name, drivers)
                                                                .stream()),
                                        sorted(program.reads().capacities()).stream()
                                                .flatMap(name ->
                                                        names
                                                                .capacityMistake(name, drivers)
                                                                .stream()))
                                .toList())
                .orElse(List.of());
    }

    private static List<QualifiedName> sorted(Set<QualifiedName> names) {
        return names.stream().sorted(Comparator.comparing(QualifiedName::toString)).toList();
    }

    /// A comparison of one attribute or capacity with a literal of another type.
    private Optional<String> typeMistake(String part) {
        var reads = selectors.program(part).map(program -> program.reads());
        if (reads.isEmpty()
                || reads.get().attributes().size() + reads.get().capacities().size() != 1
                || !part.matches("(?s).*(==|!=|<|>|compareTo|isGreaterThan|isLessThan).*")) {
            return Optional.empty();
        }
        var compared = literalType(part);
        var attribute = reads.get().attributes().stream().findFirst();
        var name = attribute.orElseGet(() -> reads.get().capacities().iterator().next());
        var actual = attribute.isPresent() ? names.attributeType(name) : Optional.of("quantity");
        return actual.filter(type -> compared.filter(other -> !other.equals(type)).isPresent())
                .map(type ->
                        "%s is %s and is compared with %s%s"
                                .formatted(
                                        name.id(),
                                        article(type),
                                        article(compared.orElseThrow()),
                                        correction(type)));
    }

    private static String article(String type) {
        return (type.startsWith("i") ? "an " : "a ") + type;
    }

    private static String correction(String type) {
        return switch (type) {
            case "string" -> "; write a string in quotes";
            case "int" -> "; write a number without quotes";
            case "bool" -> "; write true or false without quotes";
            case "version" ->
                    "; write semver(\"1.2.3\") and compareTo, isGreaterThan or isLessThan";
            case "quantity" ->
                    "; write quantity(\"1Gi\") and compareTo, isGreaterThan or isLessThan";
            default -> "";
        };
    }

    /// The type of the only kind of literal in a part.
    private static Optional<String> literalType(String part) {
        var text = INDEX.matcher(part).replaceAll("");
        if (QUANTITY.matcher(text).find()) {
            return Optional.of("quantity");
        }
        if (VERSION.matcher(text).find()) {
            return Optional.of("version");
        }
        text = COMPARE_TO_ZERO.matcher(text).replaceAll("$1");
        if (STRING.matcher(text).find()) {
            return text.matches("(?s).*\\.\\w+\\(.*") ? Optional.empty() : Optional.of("string");
        }
        if (NUMBER.matcher(text).find()) {
            return Optional.of(
                    NUMBER.matcher(text).results().anyMatch(m -> m.group().contains("."))
                            ? "double"
                            : "int");
        }
        return BOOLEAN.matcher(text).find() ? Optional.of("bool") : Optional.empty();
    }
}
