package dev.berth.core.explain;

import dev.berth.model.api.DeviceId;
import dev.berth.model.api.Node;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Finds few claims whose devices would be enough if they were given back: none of them can be left
/// out.
final class ReleaseSearch {

    /// After so many nodes where releasing helps, others have nothing new to say.
    private static final int MAX_NODES = 16;

    private static final int MAX_PROPOSALS = 3;

    private final Situation situation;
    private final Prober prober;

    ReleaseSearch(Situation situation, Prober prober) {
        this.situation = situation;
        this.prober = prober;
    }

    /// The smallest first; empty when nobody holds what is missing.
    List<Change.Proposal> proposals(List<Node> nodes) {
        var found = new ArrayList<Change.Proposal>();
        var seen = new LinkedHashSet<List<ObjectRef>>();
        var helpful = 0;
        for (var node : nodes) {
            if (situation.barred().containsKey(node.name()) || helpful >= MAX_NODES) {
                continue;
            }
            var set = smallest(node);
            helpful += set.isEmpty() ? 0 : 1;
            if (!set.isEmpty() && seen.add(set)) {
                found.add(new Change.Proposal(new Change.Release(set), node.name()));
            }
        }
        found.sort(Comparator.comparingInt(ReleaseSearch::size));
        return found.stream().limit(MAX_PROPOSALS).toList();
    }

    private static int size(Change.Proposal proposal) {
        return proposal.change() instanceof Change.Release(var claims) ? claims.size() : 0;
    }

    private List<ObjectRef> smallest(Node node) {
        var releasable = releasable(node);
        if (releasable.isEmpty() || !fits(node, releasable)) {
            return List.of();
        }
        for (var one : releasable) {
            if (fits(node, Set.of(one))) {
                return List.of(one);
            }
        }
        // Those whose devices others could have instead are put back one by one.
        var released = new LinkedHashSet<>(releasable);
        for (var one : releasable) {
            var fewer = new LinkedHashSet<>(released);
            fewer.remove(one);
            if (!fewer.isEmpty() && fits(node, fewer)) {
                released = fewer;
            }
        }
        return released.stream().sorted().toList();
    }

    private boolean fits(Node node, Set<ObjectRef> released) {
        var change = new Change.Release(List.copyOf(released));
        return prober.fitsOn(Changes.apply(change, situation), node);
    }

    /// Claims of others with devices that the node sees, or that draw on the same counters.
    private Set<ObjectRef> releasable(Node node) {
        var pools = new HashSet<PoolId>();
        prober.seenFrom(node).forEach(pool -> pools.add(pool.id()));
        var found = new LinkedHashSet<ObjectRef>();
        for (var holder : situation.holders()) {
            if (!situation.own().contains(holder.ref())
                    && devices(holder).stream().anyMatch(id -> pools.contains(id.poolId()))) {
                found.add(holder.ref());
            }
        }
        return found;
    }

    private static List<DeviceId> devices(ResourceClaim holder) {
        return holder.status().allocation().stream()
                .flatMap(allocation -> allocation.devices().stream())
                .filter(device -> !device.isAdmin())
                .map(device -> device.id())
                .toList();
    }
}
