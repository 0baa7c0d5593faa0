package dev.berth.core.plan;

import dev.berth.core.place.FitCache;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.NodeFits;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.place.PlacementRules;
import dev.berth.core.place.Rejection;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.snapshot.ExtendedResourceClaims;
import dev.berth.core.utilisation.ClassUtilisation;
import dev.berth.core.utilisation.ClusterUtilisation;
import dev.berth.core.utilisation.UtilisationCalculator;
import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Places pods in order, each on the cluster with the placements before it.
final class PlanningRound {

    /// The result of a pod and the snapshot after it.
    record Step(PlannedPod outcome, ClusterSnapshot snapshot) {}

    private final FitCache fitCache;
    private final UtilisationCalculator calculator;

    /// @param calculator used without requested sizes, which cost much and shortages do not need
    PlanningRound(PlacementRules rules, UtilisationCalculator calculator) {
        this.fitCache = new FitCache(rules);
        this.calculator = calculator;
    }

    Step place(PlacementRequest request, ClusterSnapshot snapshot) {
        var nodeFits = fitCache.evaluate(request, snapshot);
        var fault = nodeFits.faultEverywhere();
        var chosen =
                fault.isPresent()
                        ? Optional.<NodeFit.Fits>empty()
                        : nodeFits.best().flatMap(nodeFits::withNewShareIds);
        if (chosen.isEmpty()) {
            var reason = fault.map(Rejection.Fault::message);
            return new Step(pending(request, nodeFits, reason, snapshot), snapshot);
        }
        var fits = chosen.get();
        var holdings = new ArrayList<PlannedPod.Holding>();
        for (var claim : request.allocated()) {
            var devices = claim.status().allocation().orElseThrow().devices();
            holdings.add(new PlannedPod.Holding(claim.ref(), devices, true));
        }
        for (var allocation : fits.allocations()) {
            var ref = displayed(allocation.ref(), fits, request.pod());
            holdings.add(new PlannedPod.Holding(ref, allocation.result().devices(), false));
        }
        var placed = new PlannedPod.Placed(request.pod(), fits.node(), holdings);
        return new Step(placed, snapshot.with(snapshot.usage().with(request.placement(fits))));
    }

    /// The claim for extended resources has a placeholder name until the API server creates it.
    private static ObjectRef displayed(ObjectRef claim, NodeFit.Fits fits, Pod pod) {
        return fits.extended().filter(one -> one.claim().ref().equals(claim)).isPresent()
                ? ExtendedResourceClaims.expectedRef(pod)
                : claim;
    }

    private PlannedPod pending(
            PlacementRequest request,
            NodeFits nodeFits,
            Optional<String> fault,
            ClusterSnapshot snapshot) {
        var byReason = new TreeMap<String, List<String>>();
        nodeFits.forEachRejection((node, reason) ->
                byReason.computeIfAbsent(reason.text(), _ -> new ArrayList<>()).add(node));
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
                        .formatted(nodeFits.size(), counts.isEmpty() ? "" : ": " + counts);
        return new PlannedPod.Pending(
                request.pod(), fault.orElse(summary), groups, shortages(request, snapshot));
    }

    private List<PlannedPod.Shortage> shortages(
            PlacementRequest request, ClusterSnapshot snapshot) {
        var counts = new TreeMap<String, Long>();
        for (var demand : RequestedDevices.of(request, snapshot)) {
            counts.merge(demand.deviceClassName(), count(demand), Long::sum);
        }
        if (counts.isEmpty()) {
            return List.of();
        }
        var utilisation = calculator.of(snapshot);
        return counts.entrySet().stream()
                .map(entry -> shortage(utilisation, entry.getKey(), entry.getValue()))
                .toList();
    }

    private static PlannedPod.Shortage shortage(
            ClusterUtilisation utilisation, String deviceClass, long count) {
        var one = utilisation.of(deviceClass).orElseGet(() -> ClassUtilisation.none(deviceClass));
        return new PlannedPod.Shortage(
                deviceClass, count, one.available(), one.total().devices(), one.mostOnOneNode());
    }

    private static long count(DeviceDemand demand) {
        return demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
    }
}
