package dev.berth.core.explain;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.node.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Finds the smallest sets of claims whose release makes the pod's claims fit. With too many
/// candidates to prove the minimum, finds a set from which no claim can be left out.
final class ReleaseSearch {

    /// Bound on nodes where a release helps; further nodes rarely yield other sets.
    private static final int MAX_NODES = 16;

    private static final int MAX_SUGGESTIONS = 3;

    /// Bound on the sets tried per size. Beyond it the result is irreducible, not necessarily
    /// smallest.
    private static final int MAX_SETS = 60;

    private final ExplainInputs inputs;
    private final WhatIfAllocator whatIf;
    private final HoldersByPool holders;
    private final SuggestionTargets targets;

    ReleaseSearch(ExplainInputs inputs, WhatIfAllocator whatIf) {
        this.inputs = inputs;
        this.whatIf = whatIf;
        this.holders = new HoldersByPool(inputs.holders());
        this.targets = new SuggestionTargets(inputs);
    }

    /// The smallest set first, then by name; empty when no release helps.
    List<Suggestion.Verified> suggestions(List<Node> nodes) {
        var found = new ArrayList<Suggestion.Verified>();
        var seen = new LinkedHashSet<List<ObjectRef>>();
        var nodesWithRelease = 0;
        for (var node : nodes) {
            if (inputs.rejections().containsKey(node.name()) || nodesWithRelease >= MAX_NODES) {
                continue;
            }
            var set = smallest(node);
            nodesWithRelease += set.isEmpty() ? 0 : 1;
            if (!set.isEmpty() && seen.add(set)) {
                found.add(targets.verified(new Suggestion.Release(set), node.name()));
            }
        }
        found.sort(Comparator.comparingLong(verified -> verified.suggestion().size()));
        return found.stream().limit(MAX_SUGGESTIONS).toList();
    }

    private List<ObjectRef> smallest(Node node) {
        var releasable = releasable(node);
        if (releasable.isEmpty() || !fits(node, releasable)) {
            return List.of();
        }
        var irreducible = irreducible(node, releasable);
        for (var size = 1; size <= irreducible.size(); size++) {
            var sets = new Combinations(releasable.size(), size);
            for (var tried = 0; sets.hasNext(); tried++) {
                if (tried == MAX_SETS) {
                    return irreducible;
                }
                var set = Arrays.stream(sets.next()).mapToObj(releasable::get).toList();
                if (fits(node, set)) {
                    return set;
                }
            }
        }
        return irreducible;
    }

    /// Removes claims from the set one by one while the rest is still enough.
    private List<ObjectRef> irreducible(Node node, List<ObjectRef> releasable) {
        var released = releasable;
        for (var one : releasable) {
            var fewer = released.stream().filter(other -> !other.equals(one)).toList();
            if (!fewer.isEmpty() && fits(node, fewer)) {
                released = fewer;
            }
        }
        return released;
    }

    private boolean fits(Node node, List<ObjectRef> released) {
        return whatIf.fitsWithout(inputs, node, released);
    }

    /// Other pods' claims with devices visible from the node, or that draw on the same counters, by
    /// name.
    private List<ObjectRef> releasable(Node node) {
        return holders.holders(whatIf.visibleFrom(node)).stream()
                .filter(holder -> !inputs.own().contains(holder.ref()))
                .filter(ReleaseSearch::holdsDevices)
                .map(ResourceClaim::ref)
                .sorted()
                .toList();
    }

    private static boolean holdsDevices(ResourceClaim holder) {
        return holder.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .anyMatch(device -> !device.isAdmin());
    }
}
