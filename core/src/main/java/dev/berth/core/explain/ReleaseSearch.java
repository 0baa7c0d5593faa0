package dev.berth.core.explain;

import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/// Finds the fewest claims whose devices would be enough if they were given back. Where there are
/// too many to be sure of the number, none of them can be left out.
final class ReleaseSearch {

    /// After so many nodes where releasing helps, others have nothing new to say.
    private static final int MAX_NODES = 16;

    private static final int MAX_PROPOSALS = 3;

    /// How many sets of one size are tried before one is taken that is only known to be without
    /// waste.
    private static final int MAX_SETS = 60;

    private final ExplainInputs situation;
    private final WhatIfAllocator prober;
    private final HoldersByPool holders;

    ReleaseSearch(ExplainInputs situation, WhatIfAllocator prober) {
        this.situation = situation;
        this.prober = prober;
        this.holders = new HoldersByPool(situation.holders());
    }

    /// The smallest first, then by name; empty when nobody holds what is missing.
    List<Suggestion.Proposal> proposals(List<Node> nodes) {
        var found = new ArrayList<Suggestion.Proposal>();
        var seen = new LinkedHashSet<List<ObjectRef>>();
        var helpful = 0;
        for (var node : nodes) {
            if (situation.barred().containsKey(node.name()) || helpful >= MAX_NODES) {
                continue;
            }
            var set = smallest(node);
            helpful += set.isEmpty() ? 0 : 1;
            if (!set.isEmpty() && seen.add(set)) {
                found.add(new Suggestion.Proposal(new Suggestion.Release(set), node.name()));
            }
        }
        found.sort(Comparator.comparingLong(proposal -> proposal.change().size()));
        return found.stream().limit(MAX_PROPOSALS).toList();
    }

    private List<ObjectRef> smallest(Node node) {
        var releasable = releasable(node);
        if (releasable.isEmpty() || !fits(node, releasable)) {
            return List.of();
        }
        var wasteless = wasteless(node, releasable);
        for (var size = 1; size <= wasteless.size(); size++) {
            var sets = new Combinations(releasable.size(), size);
            for (var tried = 0; sets.hasNext(); tried++) {
                if (tried == MAX_SETS) {
                    return wasteless;
                }
                var set = Arrays.stream(sets.next()).mapToObj(releasable::get).toList();
                if (fits(node, set)) {
                    return set;
                }
            }
        }
        return wasteless;
    }

    /// Those whose devices others could have instead are put back one by one.
    private List<ObjectRef> wasteless(Node node, List<ObjectRef> releasable) {
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
        return prober.fitsOn(
                SuggestionApplier.apply(new Suggestion.Release(released), situation), node);
    }

    /// Claims of others with devices that the node sees, or that draw on the same counters, by
    /// name.
    private List<ObjectRef> releasable(Node node) {
        return holders.holders(prober.seenFrom(node)).stream()
                .filter(holder -> !situation.own().contains(holder.ref()))
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
