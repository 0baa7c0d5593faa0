package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.core.allocate.SearchPolicy;
import dev.berth.core.place.ClusterInventory;
import dev.berth.core.place.NodeFilters;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.Rejection;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// What keeps a pod off nodes, devices that it still needs aside: the rules by which pods are
/// placed, and what is wrong with devices that its claims have.
final class NodeRejections {

    private final ClusterObjects cluster;
    private final List<ResourceClaim> allocated = new ArrayList<>();
    private final List<ResourceClaim> wanted = new ArrayList<>();
    private final ClusterInventory fleet;
    private final ClaimInspection inspection;

    NodeRejections(ClusterObjects cluster, EvaluationSettings terms, List<ResourceClaim> used) {
        this.cluster = cluster;
        for (var claim : used) {
            (claim.status().allocation().isPresent() ? allocated : wanted).add(claim);
        }
        // Nobody is asked for devices here, so that only slices of those are needed that are held.
        this.fleet =
                ClusterInventory.of(
                        cluster.nodes(),
                        cluster.slices(terms, pools(allocated)::contains),
                        cluster.classes(),
                        AllocatorFeature.rules(terms.features()));
        this.inspection =
                new ClaimInspection(
                        fleet,
                        cluster.occupancy(),
                        cluster.assumed()::contains,
                        terms.features(),
                        terms.bindingPatience(),
                        terms.now());
    }

    private static Set<PoolId> pools(List<ResourceClaim> allocated) {
        var pools = new HashSet<PoolId>();
        for (var claim : allocated) {
            var devices = claim.status().allocation().orElseThrow().devices();
            devices.forEach(device -> pools.add(device.id().poolId()));
        }
        return pools;
    }

    /// All reasons by node; none for nodes that the pod may use. A pod that has its node keeps it,
    /// whatever has become of the node and of its devices since.
    Map<String, List<Rejection>> of(Pod pod) {
        var hearing = hearing(pod);
        if (!pod.spec().nodeName().isEmpty()) {
            return byNode(node ->
                    hearing.objections(node).stream()
                            .filter(reason ->
                                    reason instanceof Rejection.OtherNode
                                            || reason instanceof Rejection.ClaimElsewhere
                                            || reason instanceof Rejection.CannotSkip)
                            .toList());
        }
        var everywhere = new ArrayList<Rejection>();
        if (!pod.spec().schedulingGates().isEmpty()) {
            everywhere.add(
                    new Rejection.Fault(
                            "the pod has scheduling gates " + pod.spec().schedulingGates(), true));
        }
        everywhere.addAll(inspection.of(pod, allocated));
        return byNode(node -> {
            var reasons = new ArrayList<>(everywhere);
            reasons.addAll(hearing.objections(node));
            return reasons;
        });
    }

    private PodEvaluation hearing(Pod pod) {
        var placer =
                new PodPlacer(
                        fleet,
                        cluster.surroundings(),
                        new Allocator(Allocator.DEFAULT_BUDGET),
                        Set.of(),
                        SearchPolicy.KUBERNETES,
                        () -> "");
        return placer.hear(
                new PlacementRequest(pod, allocated, wanted),
                cluster.occupancy().withoutPod(pod.ref()));
    }

    /// What claims that have devices have against nodes, as if a pod used them that may use them if
    /// anybody does.
    Map<String, List<Rejection>> ofClaims() {
        var everywhere = new ArrayList<Rejection>();
        for (var claim : allocated) {
            inspection
                    .trouble(claim, !claim.status().reservedFor().isEmpty())
                    .map(trouble -> new Rejection.ClaimUnusable(claim.ref(), trouble))
                    .ifPresent(everywhere::add);
        }
        return byNode(node -> {
            var reasons = new ArrayList<>(everywhere);
            NodeFilters.claimElsewhere(allocated, node).ifPresent(reasons::add);
            return reasons;
        });
    }

    private Map<String, List<Rejection>> byNode(Function<Node, List<Rejection>> ofNode) {
        var barred = new HashMap<String, List<Rejection>>();
        for (var node : cluster.nodes()) {
            var reasons = ofNode.apply(node);
            if (!reasons.isEmpty()) {
                barred.put(node.name(), List.copyOf(reasons));
            }
        }
        return barred;
    }
}
