package dev.berth.core.place;

import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeSelector;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Chooses the best of several fitting nodes.
///
/// The weights are the defaults of Kubernetes, for the scores that depend on modelled state: free
/// CPU and memory and their balance, node affinity, inter-pod affinity, topology spread, taints
/// with effect PreferNoSchedule, and alternatives of prioritized lists. Kubernetes chooses at
/// random among nodes with equal scores; here the first by name wins.
///
/// @param <C> representation of a fitting node
final class NodeScoring<C extends NodeScoring.Candidate> {

    /// A fitting node.
    interface Candidate {

        Node node();

        /// The score of [NodeResourcesScore].
        long resourceScore();
    }

    /// Maximum score. It is finer than that of Kubernetes, so that fewer nodes have equal scores.
    static final long FULL = 10_000;

    private static final long TAINT_WEIGHT = 3;
    private static final long NODE_AFFINITY_WEIGHT = 2;
    private static final long SPREAD_WEIGHT = 2;
    private static final long POD_AFFINITY_WEIGHT = 2;
    private static final long ALTERNATIVE_WEIGHT = 2;

    private final ClusterInventory inventory;
    private final NamespaceLabels namespaces;
    private final PlacementRequest request;
    private final ClusterUsage state;
    private final SearchPolicy policy;
    private final Function<? super C, List<NodeFit.ClaimAllocation>> allocations;

    /// @param allocations allocations of the pod's claims on a node
    NodeScoring(
            ClusterInventory inventory,
            NamespaceLabels namespaces,
            PlacementRequest request,
            ClusterUsage state,
            SearchPolicy policy,
            Function<? super C, List<NodeFit.ClaimAllocation>> allocations) {
        this.inventory = inventory;
        this.namespaces = namespaces;
        this.request = request;
        this.state = state;
        this.policy = policy;
        this.allocations = allocations;
    }

    Optional<C> best(List<C> fitting) {
        return highest(fitting.size() < 2 ? fitting : preferredByPolicy(fitting));
    }

    /// The nodes that the device policy prefers; all when the pod gets no devices.
    private List<C> preferredByPolicy(List<C> fitting) {
        if (policy == SearchPolicy.KUBERNETES || !getsDevices(fitting)) {
            return fitting;
        }
        return switch (policy) {
            case KUBERNETES -> fitting;
            case PACK ->
                    NodeRanking.least(
                            NodeRanking.withEarliestAlternatives(request, fitting, allocations),
                            this::freeDevices);
            case ALIGNED ->
                    NodeRanking.least(
                            NodeRanking.withEarliestAlternatives(request, fitting, allocations),
                            this::localityCost);
        };
    }

    private boolean getsDevices(List<C> fitting) {
        return fitting.stream().anyMatch(one -> !allocations.apply(one).isEmpty());
    }

    /// The node with the highest score, regardless of the device policy.
    Optional<C> highest(List<C> candidates) {
        if (candidates.size() < 2) {
            return candidates.stream().findFirst();
        }
        var scores = scores(candidates);
        var best = 0;
        for (var i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return Optional.of(candidates.get(best));
    }

    private long freeDevices(C candidate) {
        return state.freeDevices(inventory.pools(candidate.node().name()));
    }

    /// The number of NUMA nodes and PCIe roots over which the devices are distributed.
    private long localityCost(C candidate) {
        var pools = inventory.pools(candidate.node().name());
        var allocations = this.allocations.apply(candidate);
        var roots = new HashSet<List<String>>();
        var numas = new HashSet<List<Long>>();
        for (var one : allocations) {
            for (var device : one.result().devices()) {
                for (var pool : pools) {
                    if (pool.id().equals(device.id().poolId())) {
                        pool.row(device.id().device())
                                .ifPresent(row -> {
                                    var locality = DeviceLocality.of(pool.attributes(row));
                                    roots.add(locality.pcieRoots());
                                    numas.add(locality.numaNodes());
                                });
                    }
                }
            }
        }
        return (long) numas.size() * allocations.size() * FULL + roots.size();
    }

    private long[] scores(List<C> fitting) {
        var sums = new long[fitting.size()];
        for (var i = 0; i < sums.length; i++) {
            sums[i] = fitting.get(i).resourceScore();
        }
        add(sums, fitting, TAINT_WEIGHT, true, this::taintsToAvoid);
        if (request.pod().spec().affinity().isPresent()) {
            add(sums, fitting, NODE_AFFINITY_WEIGHT, false, this::nodeAffinity);
        }
        addSpread(sums, fitting);
        addPodAffinity(sums, fitting);
        if (NodeRanking.hasAlternatives(request.toAllocate())
                || NodeRanking.hasAlternatives(request.allocated())) {
            add(
                    sums,
                    fitting,
                    ALTERNATIVE_WEIGHT,
                    false,
                    one -> NodeRanking.alternativeScore(request, allocations.apply(one)));
        }
        return sums;
    }

    private void addSpread(long[] sums, List<C> fitting) {
        if (request.pod().spec().topologySpreadConstraints().isEmpty()) {
            return;
        }
        var nodes = fitting.stream().map(Candidate::node).toList();
        var spread = new TopologySpreadScore(request.pod(), state.podCounts(), inventory, nodes);
        if (spread.isNone()) {
            return;
        }
        var raw = nodes.stream().map(spread::rawScore).toList();
        var all = raw.stream().flatMapToLong(OptionalLong::stream).summaryStatistics();
        for (var i = 0; i < sums.length; i++) {
            if (raw.get(i).isPresent()) {
                var lead = all.getMax() + all.getMin() - raw.get(i).getAsLong();
                sums[i] += SPREAD_WEIGHT * (all.getMax() == 0 ? FULL : lead * FULL / all.getMax());
            }
        }
    }

    private void addPodAffinity(long[] sums, List<C> fitting) {
        var profile = AffinityProfile.of(request.pod());
        var affinity = new InterPodAffinityScore(profile, state.podCounts(), inventory, namespaces);
        if (affinity.isNone()) {
            return;
        }
        var raw = fitting.stream().mapToLong(one -> affinity.rawScore(one.node())).toArray();
        var all = Arrays.stream(raw).summaryStatistics();
        var range = all.getMax() - all.getMin();
        for (var i = 0; i < sums.length && range > 0; i++) {
            sums[i] += POD_AFFINITY_WEIGHT * ((raw[i] - all.getMin()) * FULL / range);
        }
    }

    /// Adds a score, normalised so that the best node has the maximum.
    private void add(
            long[] sums,
            List<C> fitting,
            long weight,
            boolean lessIsBetter,
            ToLongFunction<C> score) {
        var raw = new long[sums.length];
        var most = 0L;
        for (var i = 0; i < raw.length; i++) {
            raw[i] = score.applyAsLong(fitting.get(i));
            most = Math.max(most, raw[i]);
        }
        for (var i = 0; i < raw.length && most > 0; i++) {
            var share = raw[i] * FULL / most;
            sums[i] += weight * (lessIsBetter ? FULL - share : share);
        }
    }

    private long taintsToAvoid(C candidate) {
        var taints = candidate.node().spec().taints();
        return taints.isEmpty() ? 0 : taintsToAvoid(taints);
    }

    private long taintsToAvoid(List<NodeTaint> taints) {
        return taints.stream()
                .filter(taint -> taint.effect() == NodeTaintEffect.Known.PREFER_NO_SCHEDULE)
                .filter(taint -> !NodeFilters.tolerates(request.pod().spec().tolerations(), taint))
                .count();
    }

    private long nodeAffinity(C candidate) {
        var node = candidate.node();
        return request.pod().spec().affinity().stream()
                .flatMap(affinity -> affinity.nodeAffinity().stream())
                .flatMap(affinity -> affinity.preferred().stream())
                .filter(preferred ->
                        NodeSelectorMatcher.matches(
                                new NodeSelector(List.of(preferred.term())), node))
                .mapToLong(preferred -> preferred.weight())
                .sum();
    }
}
