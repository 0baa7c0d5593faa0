package dev.berth.core.utilisation;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.PoolId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Computes the utilisation of snapshots, and what still fits.
///
/// Results of pools are kept: the next snapshot computes only pools whose slices, holders or nodes
/// changed, and adds up. The same snapshot again costs nothing. Pools of identical nodes are
/// computed once. Thread-safe.
///
/// Cost for 5,000 nodes with 16 devices: see `bench/results/utilisation.md`.
public final class UtilisationCalculator {

    private final Set<AllocatorFeature> features;
    private final PoolUtilisation pools;

    // Guarded by this.
    private Map<PoolId, KnownPool> known = new HashMap<>();
    private Optional<KnownResult> last = Optional.empty();
    private boolean hasSameNodes;

    /// A pool that was computed before, and its inputs.
    private record KnownPool(
            List<PoolAccess.ViewNodes> views,
            PoolHoldings holdings,
            List<Boolean> nodes,
            List<ClassPart> parts) {}

    private record KnownResult(
            ClusterInventory inventory,
            Ledger ledger,
            List<DeviceClass> classes,
            List<Node> nodes,
            RequestedSizes requested,
            ClusterUtilisation result) {}

    /// A calculator that shares the selector results of an allocator.
    ///
    /// @param features those of all snapshots that are evaluated
    public UtilisationCalculator(Allocator allocator, Set<AllocatorFeature> features) {
        this.features = Set.copyOf(features);
        this.pools = new PoolUtilisation(allocator.selectors());
    }

    /// The utilisation of a cluster, with the usual sizes in what still fits.
    public ClusterUtilisation of(ClusterSnapshot snapshot) {
        return of(snapshot, List.of());
    }

    /// The utilisation of a cluster.
    ///
    /// @param requested further sizes, such as those that pending pods request
    public synchronized ClusterUtilisation of(
            ClusterSnapshot snapshot, Collection<DeviceDemand> requested) {
        var sizes = new RequestedSizes(requested);
        var inventory = snapshot.inventory();
        var ledger = snapshot.usage().ledger();
        var same = last.filter(one -> isSame(one, inventory, ledger, sizes));
        if (same.isPresent()) {
            return same.get().result;
        }
        var classes = List.copyOf(new TreeMap<>(inventory.classes()).values());
        var nodes = inventory.nodes();
        forgetUnless(classes, nodes, inventory, sizes);
        var result = compute(inventory, ledger, classes, nodes, sizes);
        last = Optional.of(new KnownResult(inventory, ledger, classes, nodes, sizes, result));
        return result;
    }

    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    private static boolean isSame(
            KnownResult one, ClusterInventory inventory, Ledger ledger, RequestedSizes sizes) {
        return one.inventory == inventory && one.ledger == ledger && one.requested.equals(sizes);
    }

    /// Results of pools depend on all classes and requested sizes, and refer to nodes by number.
    private void forgetUnless(
            List<DeviceClass> classes,
            List<Node> nodes,
            ClusterInventory inventory,
            RequestedSizes sizes) {
        hasSameNodes = last.filter(one -> inventory.hasNodesOf(one.inventory)).isPresent();
        var isCurrent =
                last.filter(one ->
                                one.classes.equals(classes)
                                        && one.requested.equals(sizes)
                                        && (hasSameNodes || names(one.nodes).equals(names(nodes))))
                        .isPresent();
        if (!isCurrent) {
            known = new HashMap<>();
        }
    }

    private static List<String> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).toList();
    }

    private ClusterUtilisation compute(
            ClusterInventory inventory,
            Ledger ledger,
            List<DeviceClass> classes,
            List<Node> nodes,
            RequestedSizes sizes) {
        var broken = new BitSet();
        var views = views(inventory, nodes, broken);
        var availability = new NodeAvailability(nodes, broken, features);
        var sums = classes.stream().map(one -> new ClassSum(one.metadata().name())).toList();
        var next = new HashMap<PoolId, KnownPool>();
        views.forEach((id, seen) -> {
            var pool = pool(id, seen, ledger, classes, nodes, sizes, availability);
            next.put(id, pool);
            pool.parts.forEach(part -> sums.get(part.classNumber()).add(part));
        });
        known = next;
        var result = new TreeMap<String, ClassUtilisation>();
        for (var i = 0; i < sums.size(); i++) {
            var name = classes.get(i).metadata().name();
            result.put(name, sums.get(i).utilisation(nodes, sizes));
        }
        return new ClusterUtilisation(result);
    }

    /// The usable views of all pools.
    ///
    /// @param broken receives the nodes with a malformed pool, on which every allocation fails
    private static Map<PoolId, List<PoolAccess.ViewNodes>> views(
            ClusterInventory inventory, List<Node> nodes, BitSet broken) {
        var views = new LinkedHashMap<PoolId, Map<PoolView, BitSet>>();
        for (var number = 0; number < nodes.size(); number++) {
            for (var view : inventory.pools(nodes.get(number).name())) {
                if (view.isUsable()) {
                    views.computeIfAbsent(view.id(), _ -> new LinkedHashMap<>(2))
                            .computeIfAbsent(view, _ -> new BitSet())
                            .set(number);
                } else if (view.status() instanceof PoolView.Status.Malformed) {
                    broken.set(number);
                }
            }
        }
        var all = new LinkedHashMap<PoolId, List<PoolAccess.ViewNodes>>();
        views.forEach((id, byView) -> {
            var list = new ArrayList<PoolAccess.ViewNodes>();
            byView.forEach((view, seen) -> list.add(new PoolAccess.ViewNodes(view, seen)));
            all.put(id, list);
        });
        return all;
    }

    private static boolean isLocal(List<PoolAccess.ViewNodes> views) {
        return views.size() == 1 && views.getFirst().nodes().cardinality() == 1;
    }

    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    private KnownPool pool(
            PoolId id,
            List<PoolAccess.ViewNodes> views,
            Ledger ledger,
            List<DeviceClass> classes,
            List<Node> nodes,
            RequestedSizes sizes,
            NodeAvailability availability) {
        var holdings = ledger.poolHoldings(id);
        var state = availability.among(views);
        var before = known.get(id);
        // A view has no equals method, so equal lists have identical views. Which of several nodes
        // can access a device depends on their labels, too.
        if (before != null
                && (hasSameNodes || isLocal(views))
                && before.holdings == holdings
                && before.views.equals(views)
                && before.nodes.equals(state)) {
            return before;
        }
        var access = new PoolAccess(views, nodes);
        var parts = pools.parts(access, holdings, classes, sizes, availability);
        return new KnownPool(views, holdings, state, parts);
    }
}
