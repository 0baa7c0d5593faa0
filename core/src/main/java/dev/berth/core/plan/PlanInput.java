package dev.berth.core.plan;

import dev.berth.core.snapshot.ClusterContext;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.ArrayList;
import java.util.List;

/// A cluster and the pods to place on it.
///
/// @param pods pods that are bound to a node
/// @param pendingPods pods to place, in their order
/// @param context volumes and namespaces
public record PlanInput(
        List<Node> nodes,
        List<ResourceSlice> slices,
        List<DeviceClass> classes,
        List<DeviceTaintRule> taintRules,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<Pod> pods,
        List<PendingPod> pendingPods,
        ClusterContext context) {

    /// A pod to place.
    ///
    /// @param group pods of one group differ only in their names
    public record PendingPod(String group, Pod pod) {}

    public PlanInput {
        nodes = List.copyOf(nodes);
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
        taintRules = List.copyOf(taintRules);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        pods = List.copyOf(pods);
        pendingPods = List.copyOf(pendingPods);
    }

    PlanInput plus(List<Node> moreNodes, List<ResourceSlice> moreSlices) {
        var allNodes = new ArrayList<>(nodes);
        allNodes.addAll(moreNodes);
        var allSlices = new ArrayList<>(slices);
        allSlices.addAll(moreSlices);
        return new PlanInput(
                allNodes,
                allSlices,
                classes,
                taintRules,
                claims,
                templates,
                pods,
                pendingPods,
                context);
    }
}
