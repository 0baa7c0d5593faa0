package dev.berth.core.explain;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.lint.KnownNames;
import dev.berth.core.lint.SpellingSuggestions;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.CapacityRequirements;
import dev.berth.model.api.DeviceConstraint;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.QualifiedName;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Thinks of small changes, tries each, and keeps those with which the claims fit.
final class SuggestionSearch {

    private static final int MAX_TRIES_OF_A_KIND = 32;

    /// More than this nobody reads.
    private static final int MAX_PROPOSALS_OF_A_KIND = 2;

    private final ExplainInputs situation;
    private final WhatIfAllocator prober;
    private final DeviceSurvey survey;
    private final SelectorEvaluation selectors;
    private final List<Suggestion.Proposal> found = new ArrayList<>();

    SuggestionSearch(
            ExplainInputs situation,
            WhatIfAllocator prober,
            DeviceSurvey survey,
            SelectorEvaluation selectors) {
        this.situation = situation;
        this.prober = prober;
        this.survey = survey;
        this.selectors = selectors;
    }

    /// Corrections of likely mistakes first, then the smallest changes; between equals, those that
    /// cost others nothing of what they asked for.
    ///
    /// @param releases what has been tried already
    List<Suggestion.Proposal> proposals(List<Node> nodes, List<Suggestion.Proposal> releases) {
        var edits = new SelectorEdits(situation, selectors, survey);
        attempt(classes());
        attempt(edits.renames());
        attempt(edits.guards());
        attempt(constraintNames());
        found.addAll(releases);
        tolerations();
        counts();
        capacities();
        attempt(edits.loosenings());
        attempt(constraints());
        attempt(allowances(nodes));
        attempt(pools(nodes));
        if (found.stream().noneMatch(p -> p.change() instanceof Suggestion.EditSelector)) {
            attempt(edits.drops());
        }
        found.sort(Comparator.comparingLong(proposal -> proposal.change().size()));
        return List.copyOf(found);
    }

    private void attempt(Collection<? extends Suggestion> changes) {
        var kept = 0;
        var tried = 0;
        for (var change : changes) {
            if (kept >= MAX_PROPOSALS_OF_A_KIND || tried++ >= MAX_TRIES_OF_A_KIND) {
                return;
            }
            // Of several values for one part, the nearest is enough.
            kept += !isEdited(change) && succeeds(change) ? 1 : 0;
        }
    }

    private boolean isEdited(Suggestion change) {
        return change instanceof Suggestion.EditSelector edit
                && found.stream()
                        .anyMatch(p ->
                                p.change() instanceof Suggestion.EditSelector other
                                        && other.at().equals(edit.at())
                                        && other.from().equals(edit.from()));
    }

    private boolean succeeds(Suggestion change) {
        var changed = SuggestionApplier.apply(change, situation);
        // A node that becomes allowed is the only one for which anything changes.
        var node =
                change instanceof Suggestion.AllowNode(var name, _)
                        ? prober.fits(changed, named(name))
                        : prober.fits(changed);
        node.ifPresent(n -> found.add(new Suggestion.Proposal(change, n.name())));
        return node.isPresent();
    }

    private List<Node> named(String name) {
        return situation.nodes().stream().filter(node -> node.name().equals(name)).toList();
    }

    private List<Suggestion> allowances(List<Node> nodes) {
        return nodes.stream()
                .map(Node::name)
                .flatMap(name ->
                        Optional.ofNullable(situation.barred().get(name))
                                .filter(reasons -> reasons.stream().allMatch(RejectionText::canGo))
                                .<Suggestion>map(reasons -> allowance(name, reasons))
                                .stream())
                .toList();
    }

    /// What is wrong with devices that a claim gives back does not matter any more.
    private static Suggestion.AllowNode allowance(String node, List<Rejection> reasons) {
        var givenBack = new HashSet<ObjectRef>();
        for (var reason : reasons) {
            if (reason instanceof Rejection.ClaimElsewhere(var claim)) {
                givenBack.add(claim);
            }
        }
        return new Suggestion.AllowNode(
                node,
                reasons.stream()
                        .filter(reason ->
                                !(reason instanceof Rejection.ClaimUnusable(var claim, _)
                                        && givenBack.contains(claim)))
                        .toList());
    }

    private List<Suggestion> classes() {
        var known = situation.classes().stream().map(c -> c.metadata().name()).toList();
        var changes = new ArrayList<Suggestion>();
        for (var want : survey.wants()) {
            var name = want.demand().deviceClassName();
            if (!known.contains(name) && want.serves().isEmpty()) {
                SpellingSuggestions.nearest(name, known)
                        .map(to -> new Suggestion.UseClass(want.claim(), want.name(), name, to))
                        .ifPresent(changes::add);
            }
        }
        return changes;
    }

    private List<Suggestion> constraintNames() {
        var names = new KnownNames(situation.slices());
        var changes = new ArrayList<Suggestion>();
        for (var claim : situation.claims()) {
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
                        .ifPresent(changes::add);
            }
        }
        return changes;
    }

    static Optional<String> attribute(DeviceConstraint constraint) {
        return switch (constraint) {
            case DeviceConstraint.MatchAttribute match -> Optional.of(match.attribute());
            case DeviceConstraint.DistinctAttribute distinct -> Optional.of(distinct.attribute());
            case DeviceConstraint.Unrecognised _ -> Optional.empty();
        };
    }

    private List<Suggestion> constraints() {
        var changes = new ArrayList<Suggestion>();
        for (var claim : situation.claims()) {
            var constraints = claim.spec().constraints();
            for (var i = 0; i < constraints.size(); i++) {
                var number = i;
                attribute(constraints.get(i))
                        .map(name -> new Suggestion.DropConstraint(claim.ref(), number, name))
                        .ifPresent(changes::add);
            }
        }
        return changes;
    }

    /// Each taint by itself, those of most devices first; then, without those that are not needed,
    /// all that a request met.
    private void tolerations() {
        for (var i = 0; i < survey.wants().size(); i++) {
            var want = survey.wants().get(i);
            if (!want.serves().isEmpty()) {
                // Who asks by the name of a resource has no way to tolerate anything.
                continue;
            }
            var taints = taints(i);
            var before = found.size();
            attempt(taints.stream().map(taint -> tolerate(want, List.of(taint))).toList());
            if (found.size() == before && taints.size() > 1) {
                tolerateAll(want, taints.stream().limit(MAX_TRIES_OF_A_KIND).toList());
            }
        }
    }

    private void tolerateAll(RequestAlternative want, List<DeviceTaint> taints) {
        var needed = taints;
        if (!fits(tolerate(want, needed))) {
            return;
        }
        for (var taint : taints) {
            var fewer = needed.stream().filter(other -> !other.equals(taint)).toList();
            if (fits(tolerate(want, fewer))) {
                needed = fewer;
            }
        }
        succeeds(tolerate(want, needed));
    }

    private static Suggestion tolerate(RequestAlternative want, List<DeviceTaint> taints) {
        return new Suggestion.Tolerate(want.claim(), want.name(), taints);
    }

    private boolean fits(Suggestion change) {
        return prober.fits(SuggestionApplier.apply(change, situation)).isPresent();
    }

    private List<DeviceTaint> taints(int want) {
        var devices = new LinkedHashMap<DeviceTaint, Integer>();
        for (var finding : survey.findings(want).values()) {
            for (var encounter : finding.verdict().encounters()) {
                if (encounter.obstacle() instanceof Obstacle.Tainted(var taint)) {
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

    /// The largest number that fits, for each request.
    private void counts() {
        for (var want : survey.wants()) {
            if (want.serves().size() > 1) {
                // Several containers use these devices, and nobody knows which could do with less.
                continue;
            }
            for (var count = Math.min(want.count(), MAX_TRIES_OF_A_KIND) - 1; count > 0; count--) {
                var change =
                        new Suggestion.LowerCount(want.claim(), want.name(), want.count(), count);
                if (!want.wantsAll() && succeeds(change)) {
                    break;
                }
            }
        }
    }

    /// What some device has or has left, the most first.
    private void capacities() {
        for (var want : survey.wants()) {
            var wanted =
                    want.demand().capacity().map(CapacityRequirements::requests).orElse(Map.of());
            for (var entry : wanted.entrySet()) {
                var lower =
                        amounts(entry.getKey()).stream()
                                .filter(amount -> amount.compareTo(entry.getValue()) < 0)
                                .filter(amount -> amount.signum() > 0)
                                .sorted(Comparator.reverseOrder())
                                .limit(MAX_TRIES_OF_A_KIND)
                                .toList();
                for (var amount : lower) {
                    if (succeeds(
                            new Suggestion.LowerCapacity(
                                    want.claim(),
                                    want.name(),
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
        var ledger = new DeviceHolders(situation.holders());
        var amounts = new LinkedHashSet<Quantity>();
        for (var slice : situation.slices()) {
            for (var device : slice.spec().devices()) {
                var value = device.capacity().get(capacity);
                if (value == null) {
                    continue;
                }
                var pool = slice.poolId();
                var id = new DeviceId(pool.driver(), pool.pool(), device.name());
                var taken = ledger.holdings().consumed().getOrDefault(id, Map.of());
                amounts.add(value.value().minus(taken.getOrDefault(capacity, Quantity.ZERO)));
                amounts.add(value.value());
            }
        }
        return amounts;
    }

    private List<Suggestion> pools(List<Node> nodes) {
        var changes = new LinkedHashMap<PoolId, Suggestion>();
        for (var node : nodes) {
            for (var pool : prober.seenFrom(node)) {
                if (pool.status() instanceof PoolView.Status.Incomplete(var present, var expected)
                        && present < expected) {
                    changes.putIfAbsent(
                            pool.id(), new Suggestion.ShortenPool(pool.id(), present, expected));
                }
            }
        }
        return List.copyOf(changes.values());
    }
}
