package dev.berth.core.place.pack;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.place.pack.ClusterSupply.CapacityName;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Learns the demand of the pods of successive snapshots. Only pods and pools that changed since
/// the previous snapshot are counted again; the result is a function of the snapshot alone.
public final class DemandTracker {

    private static final int MAX_DEMANDS = 256;
    private static final int MAX_PRICES = 1024;

    /// When more kinds are known, those that no pod requests any more are forgotten.
    private static final int MAX_KINDS = 256;

    /// Prices are kept by capacity and mix.
    private record PriceKey(CapacityName name, LearnedDemand.Sizes sizes) {}

    /// A pod in the sums.
    private record CountedPod(PodDemand demand, List<ObjectRef> claims) {}

    /// The supply of a node, and what it was computed from.
    private record KnownSupply(
            List<PoolView> pools, List<PoolHoldings> holdings, int kinds, NodeSupply supply) {}

    private final SelectorCache selectorCache;
    private final ClusterInventory empty;
    private final Map<PriceKey, SharePrices> prices = new HashMap<>();
    private final Map<ObjectRef, CountedPod> counted = new HashMap<>();
    private final Map<ObjectRef, Set<ObjectRef>> podsByClaim = new HashMap<>();
    private final Map<String, KnownSupply> supplies = new HashMap<>();
    private final Map<LearnedDemand.Rounded, LearnedDemand> known = new HashMap<>();
    private DemandSums sums = new DemandSums();
    private RequestKindIndex kinds;
    private ClusterSupply supply;
    private ClusterSnapshot last;
    private int countedKinds;
    private int maxKinds = MAX_KINDS;

    /// A tracker of an empty cluster.
    ///
    /// @param rules those of all snapshots
    public DemandTracker(SelectorCache selectorCache, Pool.Rules rules) {
        this.selectorCache = selectorCache;
        this.empty = ClusterInventory.none(rules);
        this.last = ClusterSnapshot.of(empty, ClusterUsage.NONE);
        this.kinds = new RequestKindIndex(selectorCache, Map.of());
        this.supply = new ClusterSupply(kinds, empty, empty);
    }

    /// The costs of placing a pod in the cluster of a snapshot.
    public PackingCosts costs(PodDemand pod, ClusterSnapshot snapshot) {
        follow(snapshot);
        addKinds(pod);
        if (kinds.size() != countedKinds) {
            supply = new ClusterSupply(kinds, snapshot.inventory(), empty);
            countedKinds = kinds.size();
            known.clear();
        }
        sums.add(pod);
        var rounded = LearnedDemand.rounded(sums, kinds, supply);
        sums.remove(pod);
        if (known.size() >= MAX_DEMANDS) {
            known.clear();
        }
        var demand =
                known.computeIfAbsent(
                        rounded, it -> new LearnedDemand(it, kinds, supply, this::prices));
        return new PackingCosts(demand, pod, kinds);
    }

    private SharePrices prices(CapacityName name, LearnedDemand.Sizes sizes) {
        if (prices.size() >= MAX_PRICES) {
            prices.clear();
        }
        return prices.computeIfAbsent(
                new PriceKey(name, sizes),
                key ->
                        SharePrices.of(
                                key.sizes.capacity(),
                                longs(key.sizes.sizes()),
                                longs(key.sizes.weights())));
    }

    private static long[] longs(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }

    private void addKinds(PodDemand demand) {
        demand.devices().forEach(one -> kinds.add(one.share().kind()));
    }

    private void follow(ClusterSnapshot snapshot) {
        var before = last;
        last = snapshot;
        if (!snapshot.inventory().classes().equals(kinds.classes()) || kinds.size() > maxKinds) {
            startWith(snapshot);
            return;
        }
        if (supplies.size() > 2 * snapshot.inventory().size()) {
            supplies.clear();
        }
        snapshot.inventory()
                .poolChangesSince(
                        before.inventory(),
                        pool -> {
                            supply.update(pool, snapshot.inventory());
                            known.clear();
                        });
        var changed = new TreeSet<ObjectRef>();
        snapshot.usage().podChangesSince(before.usage(), changed::add);
        snapshot.usage()
                .claimChangesSince(
                        before.usage(),
                        claim -> changed.addAll(podsByClaim.getOrDefault(claim, Set.of())));
        changed.forEach(pod -> count(pod, snapshot));
    }

    /// Counts everything again, with other device classes.
    private void startWith(ClusterSnapshot snapshot) {
        kinds = new RequestKindIndex(selectorCache, snapshot.inventory().classes());
        sums = new DemandSums();
        counted.clear();
        podsByClaim.clear();
        supplies.clear();
        countedKinds = -1;
        snapshot.usage().podChangesSince(ClusterUsage.NONE, pod -> count(pod, snapshot));
        maxKinds = Math.max(MAX_KINDS, 2 * kinds.size());
    }

    private void count(ObjectRef ref, ClusterSnapshot snapshot) {
        var before = counted.remove(ref);
        if (before != null) {
            sums.remove(before.demand);
            before.claims.forEach(claim -> forget(ref, claim));
        }
        var pod = snapshot.usage().pod(ref);
        if (pod.isPresent()) {
            var refs = PodClaimReferences.all(pod.get());
            refs.forEach(
                    claim -> podsByClaim.computeIfAbsent(claim, _ -> new HashSet<>(1)).add(ref));
            var claims =
                    refs.stream().flatMap(claim -> snapshot.usage().claim(claim).stream()).toList();
            var demand = PodDemand.of(pod.get(), claims);
            addKinds(demand);
            sums.add(demand);
            counted.put(ref, new CountedPod(demand, refs));
        }
    }

    private void forget(ObjectRef pod, ObjectRef claim) {
        var users = podsByClaim.get(claim);
        if (users != null && users.remove(pod) && users.isEmpty()) {
            podsByClaim.remove(claim);
        }
    }

    /// The resources and devices that a node of the snapshot can still allocate.
    public NodeFreeCapacity freeCapacity(NodeView node) {
        var allocatable = node.allocatable();
        var used = node.usage().requested();
        return new NodeFreeCapacity(
                supply(node),
                left("cpu", allocatable, used).milliRoundedUp(),
                left("memory", allocatable, used).roundedUp());
    }

    private static Quantity left(
            String name, Map<String, Quantity> allocatable, Map<String, Quantity> used) {
        return allocatable
                .getOrDefault(name, Quantity.ZERO)
                .minus(used.getOrDefault(name, Quantity.ZERO));
    }

    private NodeSupply supply(NodeView node) {
        var pools = node.pools();
        var ledger = node.snapshot().usage().ledger();
        var holdings = pools.stream().map(pool -> ledger.poolHoldings(pool.id())).toList();
        var before = Optional.ofNullable(supplies.get(node.name()));
        if (before.isPresent()
                && before.get().kinds == kinds.size()
                && isSame(before.get().pools, pools)
                && isSame(before.get().holdings, holdings)) {
            return before.get().supply;
        }
        var now = NodeSupply.of(node, kinds);
        supplies.put(node.name(), new KnownSupply(pools, holdings, kinds.size(), now));
        return now;
    }

    @SuppressWarnings("ReferenceEquality") // an object is the same until it is replaced
    private static boolean isSame(List<?> one, List<?> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (var i = 0; i < one.size(); i++) {
            if (one.get(i) != other.get(i)) {
                return false;
            }
        }
        return true;
    }
}
