package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Occurrence;
import dev.berth.core.explain.finding.PublishedNames;
import dev.berth.core.explain.finding.SelectorDiagnosis;
import dev.berth.core.lint.KnownNames;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.model.api.claim.DeviceSelector;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Proposes edits of selectors. Whether an edit helps is verified by [SuggestionSearch].
final class SelectorEdits {

    /// A quantity, version, string or integer literal of CEL.
    private static final Pattern LITERAL =
            Pattern.compile(
                    "(?:quantity|semver)\\((?:\"[^\"]*\"|'[^']*')\\)|"
                            + "\"[^\"]*\"|'[^']*'"
                            + "|(?<![\\w.\"'])-?\\d+(?![\\w.\"'])");

    /// The domain index of an attribute or capacity, which is not a value to edit.
    private static final Pattern INDEX = Pattern.compile("(?<=\\w)\\[(?:\"[^\"]*\"|'[^']*')\\]");

    /// Attributes by which drivers distinguish kinds of devices.
    private static final Set<String> KIND_ATTRIBUTES =
            Set.of("type", "kind", "deviceType", "family", "vendor");

    private static final Pattern MEMBER =
            Pattern.compile("device\\.(?:attributes|capacity)\\[[\"'][^\"']*[\"']\\]\\.\\w+");

    private static final Pattern QUANTITY = Pattern.compile("quantity\\([\"']([^\"']*)[\"']\\)");

    /// The trailing `0` of a `compareTo` comparison is not a value to edit.
    private static final Pattern COMPARED =
            Pattern.compile("\\.compareTo\\((.*)\\)\\s*(<=|>=|==|!=|<|>)\\s*0\\s*$");

    private final ExplainInputs inputs;
    private final SelectorEvaluation selectors;
    private final KnownNames names;
    private final Map<SelectorLocation, Map<String, Set<String>>> parts = new LinkedHashMap<>();
    private final Set<String> faulty = new LinkedHashSet<>();

    SelectorEdits(
            ExplainInputs inputs,
            SelectorEvaluation selectors,
            ReportBuilder reportBuilder,
            KnownNames names) {
        this.inputs = inputs;
        this.selectors = selectors;
        this.names = names;
        for (var alternative = 0;
                alternative < reportBuilder.alternatives().size();
                alternative++) {
            for (var best : reportBuilder.bestFits(alternative).values()) {
                // Only devices of the requested class: another kind of device is no correction.
                if (best.fit().ofClass()) {
                    best.fit().occurrences().forEach(this::note);
                }
            }
        }
    }

    private void note(Occurrence occurrence) {
        switch (occurrence.obstacle()) {
            case Obstacle.Condition(var at, var part) -> note(at, part, occurrence.seen());
            case Obstacle.Fault(var at, var part, _) -> {
                faulty.add(part);
                note(at, part, occurrence.seen());
            }
            default -> {}
        }
    }

    private void note(SelectorLocation at, String part, String seen) {
        parts.computeIfAbsent(at, _ -> new LinkedHashMap<>())
                .computeIfAbsent(part, _ -> new LinkedHashSet<>())
                .add(seen);
    }

    /// Replaces names that no device has with the nearest existing name.
    List<Suggestion> renames() {
        var found = new LinkedHashSet<Suggestion>();
        for (var at : parts.keySet()) {
            var text = text(at);
            selectors
                    .program(text)
                    .ifPresent(program -> {
                        for (var name : program.reads().attributes()) {
                            names.nearestAttribute(name)
                                    .ifPresent(to -> addRename(found, at, text, name.id(), to));
                        }
                        for (var name : program.reads().capacities()) {
                            names.nearestCapacity(name)
                                    .ifPresent(to -> addRename(found, at, text, name.id(), to));
                        }
                    });
        }
        return List.copyOf(found);
    }

    private static void addRename(
            Set<Suggestion> found, SelectorLocation at, String text, String from, String to) {
        var changed = text.replaceAll("\\b" + Pattern.quote(from) + "\\b", to);
        if (!changed.equals(text)) {
            found.add(new Suggestion.EditSelector(at, Suggestion.Edit.RENAME, from, to, changed));
        }
    }

    /// Reads names from the domain in which devices have them.
    List<Suggestion> moves() {
        var found = new LinkedHashSet<Suggestion>();
        var published = new PublishedNames(inputs.slices());
        var diagnosis = new SelectorDiagnosis(selectors, published);
        var drivers = new TreeSet<String>();
        inputs.slices().forEach(slice -> drivers.add(slice.spec().driver()));
        for (var at : parts.keySet()) {
            var text = text(at);
            for (var mistake : diagnosis.nameMistakes(text, drivers)) {
                mistake.meant()
                        .filter(to -> !to.domain().equals(mistake.written().domain()))
                        .ifPresent(to -> addMove(found, at, text, mistake.written(), to));
            }
        }
        return List.copyOf(found);
    }

    private void addMove(
            Set<Suggestion> found,
            SelectorLocation at,
            String text,
            QualifiedName from,
            QualifiedName to) {
        var index =
                "\\[([\"'])%s\\1\\]\\.%s\\b"
                        .formatted(Pattern.quote(from.domain()), Pattern.quote(from.id()));
        var changed =
                text.replaceAll(
                        index,
                        "[$1%s$1].%s"
                                .formatted(
                                        Matcher.quoteReplacement(to.domain()),
                                        Matcher.quoteReplacement(to.id())));
        if (!changed.equals(text) && selectors.program(changed).isPresent()) {
            found.add(
                    new Suggestion.EditSelector(
                            at, Suggestion.Edit.MOVE, from.toString(), to.toString(), changed));
        }
    }

    /// Replaces literals with values of existing devices, the nearest to the old value first.
    List<Suggestion> loosenings() {
        var found = new ArrayList<Suggestion>();
        parts.forEach((at, ofSelector) ->
                ofSelector.forEach((part, seen) -> addLoosenings(found, at, part, seen)));
        return found;
    }

    private void addLoosenings(
            List<Suggestion> found, SelectorLocation at, String part, Set<String> seen) {
        var literal = onlyLiteral(part);
        if (literal.isEmpty() || selectsKind(part)) {
            return;
        }
        seen.stream()
                .filter(value -> LITERAL.matcher(value).matches())
                .filter(value -> isSameKind(literal.get(), value))
                .sorted((a, b) -> distance(a, literal.get()).compareTo(distance(b, literal.get())))
                .map(value -> replaced(at, part, part.replace(literal.get(), value)))
                .flatMap(Optional::stream)
                .map(edit ->
                        new Suggestion.EditSelector(
                                at, Suggestion.Edit.LOOSEN, part, edit.part, edit.whole))
                .forEach(found::add);
    }

    /// True when a condition selects the kind of device rather than a property of it.
    private boolean selectsKind(String part) {
        return selectors
                .program(part)
                .map(program -> program.reads())
                .filter(reads ->
                        reads.driver()
                                || reads.attributes().stream()
                                        .anyMatch(name -> KIND_ATTRIBUTES.contains(name.id())))
                .isPresent();
    }

    /// A string stands for a kind of device; only another spelling of it is the same kind. Numbers,
    /// quantities and versions are amounts.
    private static boolean isSameKind(String literal, String value) {
        if (!literal.startsWith("\"") && !literal.startsWith("'")) {
            return true;
        }
        var wanted = unquoted(literal);
        var actual = unquoted(value);
        // Digits are part of a model or size, not a matter of spelling.
        return actual.toLowerCase(Locale.ROOT).contains(wanted.toLowerCase(Locale.ROOT))
                || (wanted.replaceAll("\\D", "").equals(actual.replaceAll("\\D", ""))
                        && SpellingSuggestions.nearest(wanted, List.of(actual)).isPresent());
    }

    private static String unquoted(String literal) {
        var isQuoted = literal.startsWith("\"") || literal.startsWith("'");
        return isQuoted ? literal.substring(1, literal.length() - 1) : literal;
    }

    private static Optional<String> onlyLiteral(String part) {
        var compared = COMPARED.matcher(part);
        var where = INDEX.matcher(compared.find() ? compared.group(1) : part).replaceAll("");
        var literals = LITERAL.matcher(where).results().map(match -> match.group()).toList();
        return literals.size() == 1 ? Optional.of(literals.getFirst()) : Optional.empty();
    }

    private static BigDecimal distance(String a, String b) {
        var first = number(a);
        var second = number(b);
        return first.isPresent() && second.isPresent()
                ? first.get().subtract(second.get()).abs()
                : BigDecimal.ZERO;
    }

    private static Optional<BigDecimal> number(String literal) {
        var quantity = QUANTITY.matcher(literal);
        var text = quantity.matches() ? quantity.group(1) : literal;
        return Quantity.tryParse(text).map(Quantity::amount);
    }

    /// Guards parts that fail on devices without the attribute, so that those devices just do not
    /// match.
    List<Suggestion> guards() {
        var found = new ArrayList<Suggestion>();
        parts.forEach((at, ofSelector) -> {
            for (var part : ofSelector.keySet()) {
                var member = MEMBER.matcher(part);
                if (!faulty.contains(part) || !member.find()) {
                    continue;
                }
                var guarded = "has(%s) && %s".formatted(member.group(), part);
                replaced(at, part, guarded)
                        .ifPresent(edit ->
                                found.add(
                                        new Suggestion.EditSelector(
                                                at,
                                                Suggestion.Edit.GUARD,
                                                part,
                                                guarded,
                                                edit.whole)));
            }
        });
        return found;
    }

    /// Drops single conditions.
    List<Suggestion> drops() {
        var found = new ArrayList<Suggestion>();
        parts.forEach((at, ofSelector) -> {
            for (var part : ofSelector.keySet()) {
                if (selectsKind(part)) {
                    continue;
                }
                replaced(at, part, "true")
                        .ifPresent(edit ->
                                found.add(
                                        new Suggestion.EditSelector(
                                                at, Suggestion.Edit.DROP, part, "", edit.whole)));
            }
        });
        return found;
    }

    private record Edited(String part, String whole) {}

    /// Replaces the part only if it occurs once, since its position is not known.
    private Optional<Edited> replaced(SelectorLocation at, String part, String by) {
        var text = text(at);
        var first = text.indexOf(part);
        if (first < 0 || text.indexOf(part, first + 1) >= 0) {
            return Optional.empty();
        }
        var whole = text.substring(0, first) + by + text.substring(first + part.length());
        return selectors.program(whole).map(_ -> new Edited(by, whole));
    }

    /// The selector of a request; empty for one of a class, which is never edited.
    private String text(SelectorLocation at) {
        if (at.deviceClass().isPresent()) {
            return "";
        }
        var list =
                RequestAlternative.of(inputs).stream()
                        .filter(alternative ->
                                alternative.claim().equals(at.claim())
                                        && alternative.name().equals(at.request()))
                        .flatMap(alternative -> alternative.demand().selectors().stream())
                        .toList();
        return at.number() < list.size()
                        && list.get(at.number()) instanceof DeviceSelector.Cel(var text)
                ? text
                : "";
    }
}
