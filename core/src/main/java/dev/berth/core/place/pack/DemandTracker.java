package dev.berth.core.place.pack;

import dev.berth.core.allocate.selector.SelectorCache;
import dev.berth.core.allocate.state.LruCache;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.PoolHoldings;
import dev.berth.core.place.pack.ClusterSupply.CapacityName;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ClusterUsage;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
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

    /// Prices are kept by capacity and mix.
    private record PriceKey(CapacityName name, LearnedDemand.Sizes sizes) {}

    /// The supply of a node, and what it was computed from.
    private record KnownSupply(
            List<PoolView> pools, List<PoolHoldings> holdings, int kinds, NodeSupply supply) {}

    private final SelectorCache selectorCache;
    private final ClusterInventory empty;
    private final LruCache<PriceKey, SharePrices> prices = new LruCache<>(MAX_PRICES);
    private final Map<ObjectRef, PodDemand> demands = new HashMap<>();
    private final Map<ObjectRef, Set<ObjectRef>> podsByClaim = new HashMap<>();
    private final Map<String, KnownSupply> supplies = new HashMap<>();
    private LruCache<LearnedDemand.Rounded, LearnedDemand> known = new LruCache<>(MAX_DEMANDS);
    private DemandSums sums = new DemandSums();
    private DeviceKinds kinds;
    private ClusterSupply supply;
    private ClusterSnapshot last;
    private int countedKinds;

    /// A tracker of an empty cluster.
    ///
    /// @param rules those of all snapshots
    public DemandTracker(SelectorCache selectorCache, Pool.Rules rules) {
        this.selectorCache = selectorCache;
        this.empty = ClusterInventory.none(rules);
        this.last = ClusterSnapshot.of(empty, ClusterUsage.NONE);
        this.kinds = new DeviceKinds(selectorCache, Map.of());
        this.supply = new ClusterSupply(kinds, empty, empty);
    }

    /// The costs of placing a pod in the cluster of a snapshot.
    public PackingCosts costs(PodDemand pod, ClusterSnapshot snapshot) {
        follow(snapshot);
        addKinds(pod);
        if (kinds.size() != countedKinds) {
            supply = new ClusterSupply(kinds, snapshot.inventory(), empty);
            countedKinds = kinds.size();
            known = new LruCache<>(MAX_DEMANDS);
        }
        sums.add(pod);
        var rounded = LearnedDemand.rounded(sums, kinds, supply);
        sums.remove(pod);
        var demand =
                known.computeIfAbsent(
                        rounded, it -> new LearnedDemand(it, kinds, supply, this::prices));
        return new PackingCosts(demand, pod, kinds);
    }

    private SharePrices prices(CapacityName name, LearnedDemand.Sizes sizes) {
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
        if (!snapshot.inventory().classes().equals(kinds.classes())) {
            startWith(snapshot);
            return;
        }
        snapshot.inventory()
                .poolChangesSince(
                        before.inventory(),
                        pool -> {
                            supply.update(pool, snapshot.inventory());
                            known = new LruCache<>(MAX_DEMANDS);
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
        kinds = new DeviceKinds(selectorCache, snapshot.inventory().classes());
        sums = new DemandSums();
        demands.clear();
        podsByClaim.clear();
        supplies.clear();
        countedKinds = -1;
        snapshot.usage().podChangesSince(ClusterUsage.NONE, pod -> count(pod, snapshot));
    }

    private void count(ObjectRef ref, ClusterSnapshot snapshot) {
        var before = demands.remove(ref);
        if (before != null) {
            sums.remove(before);
        }
        var pod = snapshot.usage().pod(ref);
        if (pod.isPresent()) {
            var demand = PodDemand.of(pod.get(), claims(pod.get(), snapshot));
            addKinds(demand);
            sums.add(demand);
            demands.put(ref, demand);
        }
    }

    private List<ResourceClaim> claims(Pod pod, ClusterSnapshot snapshot) {
        var claims = new ArrayList<ResourceClaim>();
        for (var ref : PodClaimReferences.all(pod)) {
            podsByClaim.computeIfAbsent(ref, _ -> new HashSet<>(1)).add(pod.ref());
            snapshot.usage().claim(ref).ifPresent(claims::add);
        }
        return claims;
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
