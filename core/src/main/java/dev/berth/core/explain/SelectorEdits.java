package dev.berth.core.explain;

import dev.berth.core.explain.Obstacle.Encounter;
import dev.berth.core.lint.KnownNames;
import dev.berth.model.api.DeviceSelector;
import dev.berth.model.quantity.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Thinks of other ways to write a selector; whether they help is for others to try.
final class SelectorEdits {

    /// A quantity, a version, a text or a whole number, as an expression writes them.
    private static final Pattern LITERAL =
            Pattern.compile(
                    "(?:quantity|semver)\\((?:\"[^\"]*\"|'[^']*')\\)|"
                            + "\"[^\"]*\"|'[^']*'"
                            + "|(?<![\\w.\"'])-?\\d+(?![\\w.\"'])");

    /// The domain of a name, which is no value.
    private static final Pattern INDEX = Pattern.compile("(?<=\\w)\\[(?:\"[^\"]*\"|'[^']*')\\]");

    private static final Pattern MEMBER =
            Pattern.compile("device\\.(?:attributes|capacity)\\[[\"'][^\"']*[\"']\\]\\.\\w+");

    private static final Pattern QUANTITY = Pattern.compile("quantity\\([\"']([^\"']*)[\"']\\)");

    /// What comparisons with `compareTo` end in is no number that anybody chose.
    private static final Pattern COMPARED =
            Pattern.compile("\\.compareTo\\((.*)\\)\\s*(<=|>=|==|!=|<|>)\\s*0\\s*$");

    private final ExplainInputs situation;
    private final SelectorEvaluation selectors;
    private final KnownNames names;
    private final Map<SelectorLocation, Map<String, Set<String>>> parts = new LinkedHashMap<>();
    private final Set<String> faulty = new LinkedHashSet<>();

    SelectorEdits(ExplainInputs situation, SelectorEvaluation selectors, DeviceSurvey survey) {
        this.situation = situation;
        this.selectors = selectors;
        this.names = new KnownNames(situation.slices());
        for (var want = 0; want < survey.wants().size(); want++) {
            for (var finding : survey.findings(want).values()) {
                finding.verdict().encounters().forEach(this::note);
            }
        }
    }

    private void note(Encounter encounter) {
        switch (encounter.obstacle()) {
            case Obstacle.Condition(var at, var part) -> note(at, part, encounter.seen());
            case Obstacle.Fault(var at, var part, _) -> {
                faulty.add(part);
                note(at, part, encounter.seen());
            }
            default -> {}
        }
    }

    private void note(SelectorLocation at, String part, String seen) {
        parts.computeIfAbsent(at, _ -> new LinkedHashMap<>())
                .computeIfAbsent(part, _ -> new LinkedHashSet<>())
                .add(seen);
    }

    /// Names that no device has, as the nearest that some have.
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

    /// Numbers and texts, as values that devices have; those nearest to the old one first.
    List<Suggestion> loosenings() {
        var found = new ArrayList<Suggestion>();
        parts.forEach((at, ofSelector) ->
                ofSelector.forEach((part, seen) -> addLoosenings(found, at, part, seen)));
        return found;
    }

    private void addLoosenings(
            List<Suggestion> found, SelectorLocation at, String part, Set<String> seen) {
        var literal = onlyLiteral(part);
        if (literal.isEmpty()) {
            return;
        }
        seen.stream()
                .filter(value -> LITERAL.matcher(value).matches())
                .sorted((a, b) -> distance(a, literal.get()).compareTo(distance(b, literal.get())))
                .map(value -> replaced(at, part, part.replace(literal.get(), value)))
                .flatMap(Optional::stream)
                .map(edit ->
                        new Suggestion.EditSelector(
                                at, Suggestion.Edit.LOOSEN, part, edit.part, edit.whole))
                .forEach(found::add);
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

    /// Faults that go away when a device without the attribute just does not match.
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

    /// Conditions left out.
    List<Suggestion> drops() {
        var found = new ArrayList<Suggestion>();
        parts.forEach((at, ofSelector) -> {
            for (var part : ofSelector.keySet()) {
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

    /// Only where the part stands once is it known which one is meant.
    private Optional<Edited> replaced(SelectorLocation at, String part, String by) {
        var text = text(at);
        var first = text.indexOf(part);
        if (first < 0 || text.indexOf(part, first + 1) >= 0) {
            return Optional.empty();
        }
        var whole = text.substring(0, first) + by + text.substring(first + part.length());
        return selectors.program(whole).map(_ -> new Edited(by, whole));
    }

    private String text(SelectorLocation at) {
        var list =
                at.deviceClass()
                        .map(name ->
                                situation.classes().stream()
                                        .filter(c -> c.metadata().name().equals(name))
                                        .flatMap(c -> c.spec().selectors().stream())
                                        .toList())
                        .orElseGet(() ->
                                RequestAlternative.of(situation).stream()
                                        .filter(want ->
                                                want.claim().equals(at.claim())
                                                        && want.name().equals(at.request()))
                                        .flatMap(want -> want.demand().selectors().stream())
                                        .toList());
        return at.number() < list.size()
                        && list.get(at.number()) instanceof DeviceSelector.Cel(var text)
                ? text
                : "";
    }
}
