package dev.berth.core.explain;

import dev.berth.core.explain.finding.InUseFindings;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.lint.KnownNames;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.model.api.claim.CapacityRequirements;
import dev.berth.model.api.claim.DeviceConstraint;
import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Generates small changes, verifies each with the allocator, and keeps those with which the claims
/// fit.
public final class SuggestionSearch {

    private static final int MAX_TRIES_PER_KIND = 32;

    /// Bound for readability.
    private static final int MAX_SUGGESTIONS_PER_KIND = 2;

    private final ExplainInputs inputs;
    private final WhatIfAllocator whatIf;
    private final ReportBuilder reportBuilder;
    private final SelectorEvaluation selectors;
    private final SuggestionTargets targets;
    private final List<Suggestion.Verified> found = new ArrayList<>();

    public SuggestionSearch(
            ExplainInputs inputs,
            WhatIfAllocator whatIf,
            ReportBuilder reportBuilder,
            SelectorEvaluation selectors) {
        this.inputs = inputs;
        this.whatIf = whatIf;
        this.reportBuilder = reportBuilder;
        this.selectors = selectors;
        this.targets = new SuggestionTargets(inputs);
    }

    /// Returns changes of the user first, then those of others and of administrators; of each,
    /// corrections of likely mistakes first, then the smallest changes. Device classes and the kind
    /// of the requested devices are never changed.
    ///
    /// @param releases verified releases, from [ReleaseSearch]
    public List<Suggestion.Verified> suggestions(
            List<Node> nodes, List<Suggestion.Verified> releases) {
        var names = new KnownNames(inputs.slices());
        var edits = new SelectorEdits(inputs, selectors, reportBuilder, names);
        attempt(classes());
        attempt(edits.renames());
        attempt(edits.moves());
        attempt(edits.guards());
        attempt(constraintNames(names));
        found.addAll(releases);
        tolerations();
        counts();
        capacities();
        attempt(edits.loosenings());
        attempt(constraints());
        attempt(NodeAllowances.of(inputs, nodes));
        attempt(pools(nodes));
        attempt(taintRules());
        if (found.stream().noneMatch(p -> p.suggestion() instanceof Suggestion.EditSelector)) {
            attempt(edits.drops());
        }
        found.sort(
                Comparator.comparing(Suggestion.Verified::owner)
                        .thenComparingLong(verified -> verified.suggestion().size()));
        return List.copyOf(found);
    }

    private void attempt(Collection<? extends Suggestion> suggestions) {
        var kept = 0;
        var tried = 0;
        for (var suggestion : suggestions) {
            if (kept >= MAX_SUGGESTIONS_PER_KIND || tried++ >= MAX_TRIES_PER_KIND) {
                return;
            }
            // One replacement per part is enough; the nearest value is tried first.
            kept += !isEdited(suggestion) && succeeds(suggestion) ? 1 : 0;
        }
    }

    private boolean isEdited(Suggestion suggestion) {
        return suggestion instanceof Suggestion.EditSelector edit
                && found.stream()
                        .anyMatch(p ->
                                p.suggestion() instanceof Suggestion.EditSelector other
                                        && other.at().equals(edit.at())
                                        && other.from().equals(edit.from()));
    }

    private boolean succeeds(Suggestion suggestion) {
        var changed = SuggestionApplier.apply(suggestion, inputs);
        // Allowing a node changes nothing for other nodes.
        var node =
                suggestion instanceof Suggestion.AllowNode(var name, _)
                        ? whatIf.fits(changed, named(name))
                        : whatIf.fits(changed);
        node.ifPresent(n -> found.add(targets.verified(suggestion, n.name())));
        return node.isPresent();
    }

    private List<Node> named(String name) {
        return inputs.nodes().stream().filter(node -> node.name().equals(name)).toList();
    }

    private List<Suggestion> classes() {
        var known = inputs.classes().stream().map(c -> c.metadata().name()).toList();
        var suggestions = new ArrayList<Suggestion>();
        for (var alternative : reportBuilder.alternatives()) {
            var name = alternative.demand().deviceClassName();
            if (!known.contains(name) && alternative.serves().isEmpty()) {
                SpellingSuggestions.nearest(name, known)
                        .map(to ->
                                new Suggestion.UseClass(
                                        alternative.claim(), alternative.name(), name, to))
                        .ifPresent(suggestions::add);
            }
        }
        return suggestions;
    }

    private List<Suggestion> constraintNames(KnownNames names) {
        var suggestions = new ArrayList<Suggestion>();
        for (var claim : inputs.claims()) {
            var constraints = claim.spec().constraints();
            for (var i = 0; i < constraints.size(); i++) {
                var number = i;
                var name = attribute(constraints.get(i)).filter(text -> text.contains("/"));
                name.map(text -> QualifiedName.of(text, ""))
                        .flatMap(full ->
                                names.nearestAttribute(full)
                                        .map(id ->
                                                new Suggestion.RenameInConstraint(
                                                        claim.ref(),
                                                        number,
                                                        full.toString(),
                                                        full.domain() + "/" + id)))
                        .ifPresent(suggestions::add);
            }
        }
        return suggestions;
    }

    public static Optional<String> attribute(DeviceConstraint constraint) {
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute match -> Optional.of(match.attribute());
            case DeviceConstraint.DistinctAttribute distinct -> Optional.of(distinct.attribute());
            case DeviceConstraint.Unrecognised _ -> Optional.empty();
        };
    }

    private List<Suggestion> constraints() {
        var suggestions = new ArrayList<Suggestion>();
        for (var claim : inputs.claims()) {
            var constraints = claim.spec().constraints();
            for (var i = 0; i < constraints.size(); i++) {
                var number = i;
                attribute(constraints.get(i))
                        .map(name -> new Suggestion.DropConstraint(claim.ref(), number, name))
                        .ifPresent(suggestions::add);
            }
        }
        return suggestions;
    }

    /// Tries each taint by itself, most frequent first. If none is enough, tries all taints of a
    /// request together and drops those that are not needed.
    private void tolerations() {
        for (var i = 0; i < reportBuilder.alternatives().size(); i++) {
            var alternative = reportBuilder.alternatives().get(i);
            if (!alternative.serves().isEmpty()) {
                // Requests of extended resources cannot have device tolerations.
                continue;
            }
            var taints = taints(i);
            var before = found.size();
            attempt(taints.stream().map(taint -> tolerate(alternative, List.of(taint))).toList());
            if (found.size() == before && taints.size() > 1) {
                tolerateAll(alternative, taints.stream().limit(MAX_TRIES_PER_KIND).toList());
            }
        }
    }

    private void tolerateAll(RequestAlternative alternative, List<DeviceTaint> taints) {
        var needed = taints;
        if (!fits(tolerate(alternative, needed))) {
            return;
        }
        for (var taint : taints) {
            var fewer = needed.stream().filter(other -> !other.equals(taint)).toList();
            if (fits(tolerate(alternative, fewer))) {
                needed = fewer;
            }
        }
        succeeds(tolerate(alternative, needed));
    }

    private static Suggestion tolerate(RequestAlternative alternative, List<DeviceTaint> taints) {
        return new Suggestion.Tolerate(alternative.claim(), alternative.name(), taints);
    }

    private boolean fits(Suggestion suggestion) {
        return whatIf.fits(SuggestionApplier.apply(suggestion, inputs)).isPresent();
    }

    private List<DeviceTaint> taints(int alternative) {
        var devices = new LinkedHashMap<DeviceTaint, Integer>();
        for (var best : reportBuilder.bestFits(alternative).values()) {
            for (var occurrence : best.fit().occurrences()) {
                if (occurrence.obstacle() instanceof Obstacle.Tainted(var taint)) {
                    devices.merge(taint, 1, Integer::sum);
                }
            }
        }
        return devices.entrySet().stream()
                .sorted(
                        Comparator.<Map.Entry<DeviceTaint, Integer>>comparingInt(
                                        entry -> -entry.getValue())
                                .thenComparing(entry -> entry.getKey().key())
                                .thenComparing(entry -> entry.getKey().value()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// Finds the largest count that fits, for each request.
    private void counts() {
        for (var alternative : reportBuilder.alternatives()) {
            if (alternative.serves().size() > 1) {
                // Several containers share these devices, and it is unknown which of them could use
                // fewer.
                continue;
            }
            for (var count = Math.min(alternative.count(), MAX_TRIES_PER_KIND) - 1;
                    count > 0;
                    count--) {
                var suggestion =
                        new Suggestion.LowerCount(
                                alternative.claim(),
                                alternative.name(),
                                alternative.count(),
                                count);
                if (!alternative.allocatesAll() && succeeds(suggestion)) {
                    break;
                }
            }
        }
    }

    /// Tries the total and free capacities of existing devices, largest first.
    private void capacities() {
        for (var alternative : reportBuilder.alternatives()) {
            var requested =
                    alternative
                            .demand()
                            .capacity()
                            .map(CapacityRequirements::requests)
                            .orElse(Map.of());
            for (var entry : requested.entrySet()) {
                var lower =
                        amounts(entry.getKey()).stream()
                                .filter(amount -> amount.compareTo(entry.getValue()) < 0)
                                .filter(amount -> amount.signum() > 0)
                                .sorted(Comparator.reverseOrder())
                                .limit(MAX_TRIES_PER_KIND)
                                .toList();
                for (var amount : lower) {
                    if (succeeds(
                            new Suggestion.LowerCapacity(
                                    alternative.claim(),
                                    alternative.name(),
                                    entry.getKey(),
                                    entry.getValue(),
                                    amount))) {
                        break;
                    }
                }
            }
        }
    }

    private Set<Quantity> amounts(String capacity) {
        var deviceHolders = new DeviceHolders(inputs.holders());
        var amounts = new LinkedHashSet<Quantity>();
        for (var slice : inputs.slices()) {
            for (var device : slice.spec().devices()) {
                var value = device.capacity().get(capacity);
                if (value == null) {
                    continue;
                }
                var pool = slice.poolId();
                var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                var taken = deviceHolders.holdings().consumed().getOrDefault(id, Map.of());
                amounts.add(value.value().minus(taken.getOrDefault(capacity, Quantity.ZERO)));
                amounts.add(value.value());
            }
        }
        return amounts;
    }

    /// Rules whose taints devices have.
    private List<Suggestion> taintRules() {
        var tainted = new LinkedHashSet<DeviceTaint>();
        for (var i = 0; i < reportBuilder.alternatives().size(); i++) {
            tainted.addAll(taints(i));
        }
        var suggestions = new ArrayList<Suggestion>();
        for (var rule : inputs.taintRules()) {
            var taint = rule.spec().taint();
            if (tainted.stream().anyMatch(one -> InUseFindings.isSame(one, taint))) {
                suggestions.add(new Suggestion.DeleteTaintRule(rule.metadata().name(), taint));
            }
        }
        return suggestions;
    }

    private List<Suggestion> pools(List<Node> nodes) {
        var suggestions = new LinkedHashMap<PoolId, Suggestion>();
        for (var node : nodes) {
            for (var pool : whatIf.visibleFrom(node)) {
                if (reportBuilder.isRelevant(pool.id())
                        && pool.status()
                                instanceof PoolView.Status.Incomplete(var present, var expected)
                        && present < expected) {
                    suggestions.putIfAbsent(
                            pool.id(), new Suggestion.ShortenPool(pool.id(), present, expected));
                }
            }
        }
        return List.copyOf(suggestions.values());
    }
}
