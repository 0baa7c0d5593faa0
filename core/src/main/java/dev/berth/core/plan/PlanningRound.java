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
import dev.berth.model.api.PodClaimSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Places one pod after the other, remembering what nodes said to pods of the same group: a node is
/// asked again only when something has changed for it.
final class PlanningRound {

    /// What became of a pod, and the state after it.
    record Step(PlannedPod outcome, ClusterUsage state) {}

    /// What a node said when it had this stamp.
    private record Known(
            Object stamp, Optional<Rejection> ofNode, Optional<PodEvaluation.Devices> devices) {}

    private final PodPlacer placer;
    private final DeviceCounts census;
    private final Map<String, Map<String, Known>> known = new HashMap<>();

    PlanningRound(PodPlacer placer, DeviceCounts census) {
        this.placer = placer;
        this.census = census;
    }

    Step place(String group, PlacementRequest question, ClusterUsage state) {
        var hearing = placer.hear(question, state);
        var verdicts = new ArrayList<NodeFit>();
        for (var node : placer.fleet().nodes()) {
            verdicts.add(
                    isLikeItsGroup(question)
                            ? verdict(group, hearing, node, state)
                            : hearing.judge(node));
        }
        var chosen = placer.choose(question, verdicts, state);
        if (chosen.isEmpty()) {
            return new Step(pending(question, verdicts, state), state);
        }
        var fits = chosen.get();
        var holdings = new ArrayList<PlannedPod.Holding>();
        for (var claim : question.allocated()) {
            var devices = claim.status().allocation().orElseThrow().devices();
            holdings.add(new PlannedPod.Holding(claim.ref(), devices, true));
        }
        for (var given : fits.given()) {
            holdings.add(new PlannedPod.Holding(given.ref(), given.result().devices(), false));
        }
        var placed = new PlannedPod.Placed(question.pod(), fits.node(), holdings);
        return new Step(placed, state.with(question, fits));
    }

    private NodeFit verdict(String group, PodEvaluation hearing, Node node, ClusterUsage state) {
        var ofGroup = known.computeIfAbsent(group, _ -> new HashMap<>());
        var stamp = placer.stamp(node, state);
        var before = ofGroup.get(node.name());
        var now =
                before != null && before.stamp.equals(stamp)
                        ? before
                        : new Known(stamp, hearing.ofNode(node), Optional.empty());
        ofGroup.put(node.name(), now);
        var objection = now.ofNode.or(() -> hearing.ofOthers(node));
        if (objection.isPresent()) {
            return new NodeFit.Unfit(node.name(), objection.get());
        }
        var devices = now.devices.orElseGet(() -> hearing.devices(node));
        ofGroup.put(node.name(), new Known(stamp, now.ofNode, Optional.of(devices)));
        return hearing.verdict(node, devices);
    }

    /// Claims that exist are in different states for different pods; those made from templates are
    /// all alike.
    private static boolean isLikeItsGroup(PlacementRequest question) {
        return question.pod().status().resourceClaimStatuses().isEmpty()
                && question.pod().spec().resourceClaims().stream()
                        .allMatch(entry -> entry.source() instanceof PodClaimSource.TemplateName);
    }

    private PlannedPod pending(
            PlacementRequest question, List<NodeFit> verdicts, ClusterUsage state) {
        var byReason = new TreeMap<String, List<String>>();
        var fault = "";
        for (var verdict : verdicts) {
            if (verdict instanceof NodeFit.Unfit(var node, var reason)) {
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
                        .formatted(verdicts.size(), counts.isEmpty() ? "" : ": " + counts);
        return new PlannedPod.Pending(
                question.pod(),
                fault.isEmpty() ? summary : fault,
                groups,
                shortages(question, state));
    }

    private List<PlannedPod.Shortage> shortages(PlacementRequest question, ClusterUsage state) {
        var asked = new TreeMap<String, Long>();
        var wanted = new ArrayList<>(question.wanted());
        placer.extended().claim(question.pod()).ifPresent(one -> wanted.add(one.claim()));
        for (var claim : wanted) {
            for (var request : claim.spec().requests()) {
                switch (request) {
                    case DeviceRequest.Exactly(_, var demand, _) ->
                            asked.merge(demand.deviceClassName(), count(demand), Long::sum);
                    case DeviceRequest.FirstAvailable(_, var all) ->
                            all.forEach(one ->
                                    asked.merge(
                                            one.demand().deviceClassName(),
                                            count(one.demand()),
                                            Long::sum));
                    case DeviceRequest.Unrecognised _ -> {}
                }
            }
        }
        return asked.entrySet().stream()
                .map(entry -> census.shortage(entry.getKey(), entry.getValue(), state))
                .toList();
    }

    private static long count(DeviceDemand demand) {
        return demand.count() instanceof AllocationCount.ExactCount(var number) ? number : 1;
    }
}
