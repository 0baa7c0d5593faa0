package dev.berth.core.explain;

import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.place.ClaimUnusable;
import dev.berth.core.place.PlacementPolicy;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.Rejection;
import dev.berth.core.place.filter.DynamicResourcesFilter;
import dev.berth.core.place.filter.NodeNameFilter;
import dev.berth.core.place.filter.NodeUnschedulableFilter;
import dev.berth.core.schedule.ClaimInspection;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Finds the reasons why a pod cannot use nodes, apart from free devices: the node filters of the
/// scheduler, and problems of devices that its claims already hold.
final class NodeRejections {

    private final ClusterObjects cluster;
    private final ExplainOptions options;
    private final List<ResourceClaim> allocated = new ArrayList<>();
    private final List<ResourceClaim> unallocated = new ArrayList<>();
    private final ClusterInventory inventory;
    private final ClaimInspection inspection;

    NodeRejections(ClusterObjects cluster, ExplainOptions options, List<ResourceClaim> used) {
        this.cluster = cluster;
        this.options = options;
        for (var claim : used) {
            (claim.status().allocation().isPresent() ? allocated : unallocated).add(claim);
        }
        // No devices are allocated here, so only the slices of allocated devices are needed.
        this.inventory =
                ClusterInventory.of(
                        cluster.nodes(),
                        cluster.slices(options, pools(allocated)::contains),
                        cluster.classes(),
                        AllocatorFeature.rules(options.features()));
        this.inspection =
                new ClaimInspection(
                        inventory,
                        cluster.usage(),
                        cluster.assumed()::contains,
                        options.features(),
                        options.bindingTimeout(),
                        options.now());
    }

    private static Set<PoolId> pools(List<ResourceClaim> allocated) {
        var pools = new HashSet<PoolId>();
        for (var claim : allocated) {
            var devices = claim.status().allocation().orElseThrow().devices();
            devices.forEach(device -> pools.add(device.id().poolId()));
        }
        return pools;
    }

    /// All reasons by node; no entry for nodes that the pod can use. A bound pod keeps its node,
    /// whatever happened to the node and its devices since.
    Map<String, List<Rejection>> of(Pod pod) {
        var evaluation = evaluation(pod, inventory, Set.of());
        if (!pod.spec().nodeName().isEmpty()) {
            return byNode(node ->
                    evaluation.rejections(node).stream()
                            .filter(reason ->
                                    reason instanceof NodeNameFilter.NodeNameMismatch
                                            || reason
                                                    instanceof
                                                    DynamicResourcesFilter.UnavailableClaim)
                            .toList());
        }
        var everywhere = inspection.of(pod, allocated);
        var withDevices =
                consumesNodeResources()
                        ? Optional.of(evaluation(pod, wholeInventory(), options.features()))
                        : Optional.<PodEvaluation>empty();
        return byNode(node -> {
            var reasons = new ArrayList<Rejection>(everywhere);
            reasons.addAll(evaluation.rejections(node));
            // A cordoned node has a taint as well; the cordon is the cause of both.
            if (reasons.stream()
                    .anyMatch(NodeUnschedulableFilter.Unschedulable.class::isInstance)) {
                reasons.removeIf(NodeUnschedulableFilter::isTaintOfCordon);
            }
            if (reasons.isEmpty()) {
                withDevices.ifPresent(all -> reasons.addAll(all.nodeResourceRejections(node)));
            }
            return reasons;
        });
    }

    /// Whether devices consume CPU, memory or huge pages of their nodes.
    private boolean consumesNodeResources() {
        return cluster.slices().stream()
                .flatMap(slice -> slice.spec().devices().stream())
                .anyMatch(device -> !device.nodeAllocatableResources().isEmpty());
    }

    private ClusterInventory wholeInventory() {
        return ClusterInventory.of(
                cluster.nodes(),
                cluster.slices(options, _ -> true),
                cluster.classes(),
                AllocatorFeature.rules(options.features()));
    }

    private PodEvaluation evaluation(
            Pod pod, ClusterInventory devices, Set<AllocatorFeature> features) {
        var rules =
                new PlacementRules(
                        new Allocator(Allocator.DEFAULT_BUDGET),
                        features,
                        PlacementPolicy.KUBERNETES,
                        () -> "");
        var others = cluster.usage().withoutPod(pod.ref());
        return rules.evaluation(
                new PlacementRequest(pod, allocated, unallocated),
                ClusterSnapshot.of(devices, others).with(cluster.context()));
    }

    /// The reasons of allocated claims alone, as if used by a pod that is allowed to use them.
    Map<String, List<Rejection>> ofClaims() {
        var everywhere = new ArrayList<Rejection>();
        for (var claim : allocated) {
            inspection
                    .problem(claim, !claim.status().reservedFor().isEmpty())
                    .map(trouble -> new ClaimUnusable(claim.ref(), trouble))
                    .ifPresent(everywhere::add);
        }
        return byNode(node -> {
            var reasons = new ArrayList<>(everywhere);
            DynamicResourcesFilter.unavailableClaim(allocated, node).ifPresent(reasons::add);
            return reasons;
        });
    }

    private Map<String, List<Rejection>> byNode(Function<Node, List<Rejection>> ofNode) {
        var rejections = new HashMap<String, List<Rejection>>();
        for (var node : cluster.nodes()) {
            var reasons = ofNode.apply(node);
            if (!reasons.isEmpty()) {
                rejections.put(node.name(), List.copyOf(reasons));
            }
        }
        return rejections;
    }
}
