package dev.berth.core.plan;

import dev.berth.core.place.ClusterUsage;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PodEvaluation;
import dev.berth.core.place.PodPlacer;
import dev.berth.core.place.Rejection;
import dev.berth.model.api.AllocationCount;
import dev.berth.model.api.DeviceDemand;
import dev.berth.model.api.DeviceRequest;
import dev.berth.model.api.Node;
import dev.berth.model.api.PodClaimReferences;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Places pods in order and caches node results per group of pods: a node is evaluated again only
/// when its stamp changed.
final class PlanningRound {

    /// The result of a pod and the state after it.
    record Step(PlannedPod outcome, ClusterUsage state) {}

    /// The node-scoped results for a stamp of the node.
    private record CachedFit(
            Object stamp,
            Optional<Rejection> nodeRejection,
            Optional<PodEvaluation.DeviceFit> devices) {}

    private final PodPlacer placer;
    private final DeviceCounts deviceCounts;
    private final Map<String, Map<String, CachedFit>> cache = new HashMap<>();

    PlanningRound(PodPlacer placer, DeviceCounts deviceCounts) {
        this.placer = placer;
        this.deviceCounts = deviceCounts;
    }

    Step place(String group, PlacementRequest request, ClusterUsage state) {
        var evaluation = placer.evaluation(request, state);
        var perNode = new ArrayList<NodeFit>();
        for (var node : placer.inventory().nodes()) {
            perNode.add(
                    isLikeItsGroup(request)
                            ? fit(group, evaluation, node, state)
                            : evaluation.fit(node));
        }
        var chosen = placer.choose(request, perNode, state);
        if (chosen.isEmpty()) {
            return new Step(pending(request, perNode, state), state);
        }
        var fits = chosen.get();
        var holdings = new ArrayList<PlannedPod.Holding>();
        for (var claim : request.allocated()) {
            var devices = claim.status().allocation().orElseThrow().devices();
            holdings.add(new PlannedPod.Holding(claim.ref(), devices, true));
        }
        for (var allocation : fits.allocations()) {
            holdings.add(
                    new PlannedPod.Holding(allocation.ref(), allocation.result().devices(), false));
        }
        var placed = new PlannedPod.Placed(request.pod(), fits.node(), holdings);
        return new Step(placed, state.with(request, fits));
    }

    private NodeFit fit(String group, PodEvaluation evaluation, Node node, ClusterUsage state) {
        var ofGroup = cache.computeIfAbsent(group, _ -> new HashMap<>());
        var stamp = placer.stamp(node, state);
        var before = ofGroup.get(node.name());
        var now =
                before != null && before.stamp.equals(stamp)
                        ? before
                        : new CachedFit(stamp, evaluation.nodeRejection(node), Optional.empty());
        ofGroup.put(node.name(), now);
        var rejection = now.nodeRejection.or(() -> evaluation.clusterRejection(node));
        if (rejection.isPresent()) {
            return new NodeFit.Rejected(node.name(), rejection.get());
        }
        var devices = now.devices.orElseGet(() -> evaluation.devices(node));
        ofGroup.put(node.name(), new CachedFit(stamp, now.nodeRejection, Optional.of(devices)));
        return evaluation.fit(node, devices);
    }

    /// Existing claims differ between pods; claims from templates are equal within a group.
    private static boolean isLikeItsGroup(PlacementRequest request) {
        return request.pod().spec().resourceClaims().stream()
                .map(entry -> PodClaimReferences.resolve(request.pod(), entry))
                .allMatch(PodClaimReferences.Resolution.NotCreated.class::isInstance);
    }

    private PlannedPod pending(
            PlacementRequest request, List<NodeFit> perNode, ClusterUsage state) {
        var byReason = new TreeMap<String, List<String>>();
        var fault = "";
        for (var fit : perNode) {
            if (fit instanceof NodeFit.Rejected(var node, var reason)) {
                byReason.computeIfAbsent(reason.text(), _ -> new ArrayList<>()).add(node);
                if (reason instanceof Rejection.Fault problem && problem.everywhere()) {
                    fault = problem.message();
                }
            }
        }
        var groups =
                byReason.entrySet().stream()
                        .map(entry -> new PlannedPod.Group(entry.getKey(), entry.getValue()))
                        .sorted(Comparator.comparingInt(group -> -group.nodes().size()))
                        .toList();
        var counts =
                groups.stream()
                        .map(group -> group.nodes().size() + " " + group.reason())
                        .collect(Collectors.joining(", "));
        var summary =
                "0/%d nodes are available%s"
                        .formatted(perNode.size(), counts.isEmpty() ? "" : ": " + counts);
        return new PlannedPod.Pending(
                request.pod(),
                fault.isEmpty() ? summary : fault,
                groups,
                shortages(request, state));
    }

    private List<PlannedPod.Shortage> shortages(PlacementRequest request, ClusterUsage state) {
        var requested = new TreeMap<String, Long>();
        var toAllocate = new ArrayList<>(request.toAllocate());
        placer.extended().claim(request.pod()).ifPresent(one -> toAllocate.add(one.claim()));
        for (var claim : toAllocate) {
            for (var deviceRequest : claim.spec().requests()) {
                switch (deviceRequest) {
                    case DeviceRequest.Exactly(_, var demand, _) ->
                            requested.merge(demand.deviceClassName(), count(demand), Long::sum);
                    case DeviceRequest.FirstAvailable(_, var all) ->
                            all.forEach(one ->
                                    requested.merge(
                                            one.demand().deviceClassName(),
                                            count(one.demand()),
                                            Long::sum));
                    case DeviceRequest.Unrecognised _ -> {}
                }
            }
        }
        return requested.entrySet().stream()
                .map(entry -> deviceCounts.shortage(entry.getKey(), entry.getValue(), state))
                .toList();
    }

    private static long count(DeviceDemand demand) {
        return demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
    }
}
