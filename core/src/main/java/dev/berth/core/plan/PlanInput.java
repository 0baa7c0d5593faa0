package dev.berth.core.plan;

import dev.berth.core.snapshot.ClusterContext;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimTemplate;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.ResourceQuota;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// A cluster and the pods to place on it.
///
/// @param pods pods that are bound to a node
/// @param pendingPods pods to place, in their order
/// @param context volumes and namespaces
/// @param quotas limits for pods and claims that the plan creates
/// @param workloads workload controllers of the pods to place
public record PlanInput(
        List<Node> nodes,
        List<ResourceSlice> slices,
        List<DeviceClass> classes,
        List<DeviceTaintRule> taintRules,
        List<ResourceClaim> claims,
        List<ResourceClaimTemplate> templates,
        List<Pod> pods,
        List<PendingPod> pendingPods,
        ClusterContext context,
        List<ResourceQuota> quotas,
        List<Workload> workloads) {

    /// A pod to place.
    ///
    /// @param group pods of one group differ only in their names
    /// @param removedNode the node from which the pod is displaced
    public record PendingPod(String group, Pod pod, Optional<String> removedNode) {

        public PendingPod(String group, Pod pod) {
            this(group, pod, Optional.empty());
        }
    }

    /// A workload controller.
    ///
    /// @param name kind, namespace and name
    /// @param existing pods that exist before the plan
    /// @param planned pods that the plan adds
    public record Workload(String name, int existing, int planned) {}

    /// A cluster without quotas and workload controllers.
    public PlanInput(
            List<Node> nodes,
            List<ResourceSlice> slices,
            List<DeviceClass> classes,
            List<DeviceTaintRule> taintRules,
            List<ResourceClaim> claims,
            List<ResourceClaimTemplate> templates,
            List<Pod> pods,
            List<PendingPod> pendingPods,
            ClusterContext context) {
        this(
                nodes,
                slices,
                classes,
                taintRules,
                claims,
                templates,
                pods,
                pendingPods,
                context,
                List.of(),
                List.of());
    }

    public PlanInput {
        nodes = List.copyOf(nodes);
        slices = List.copyOf(slices);
        classes = List.copyOf(classes);
        taintRules = List.copyOf(taintRules);
        claims = List.copyOf(claims);
        templates = List.copyOf(templates);
        pods = List.copyOf(pods);
        pendingPods = List.copyOf(pendingPods);
        quotas = List.copyOf(quotas);
        workloads = List.copyOf(workloads);
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
                context,
                quotas,
                workloads);
    }

    /// The input with a stated size as its last pending pod.
    PlanInput withPending(StatedSize size) {
        var allClaims = new ArrayList<>(claims);
        allClaims.add(size.claim());
        var all = new ArrayList<>(pendingPods);
        all.add(new PendingPod("stated size", size.pod()));
        return new PlanInput(
                nodes,
                slices,
                classes,
                taintRules,
                allClaims,
                templates,
                pods,
                all,
                context,
                quotas,
                workloads);
    }

    /// The input with other pods to place.
    public PlanInput withPendingPods(List<PendingPod> others) {
        return new PlanInput(
                nodes,
                slices,
                classes,
                taintRules,
                claims,
                templates,
                pods,
                others,
                context,
                quotas,
                workloads);
    }

    /// The input with classes that it does not have yet.
    PlanInput withMissing(List<DeviceClass> more) {
        var known = new HashSet<String>();
        classes.forEach(one -> known.add(one.metadata().name()));
        var all = new ArrayList<>(classes);
        more.stream().filter(one -> known.add(one.metadata().name())).forEach(all::add);
        return new PlanInput(
                nodes,
                slices,
                all,
                taintRules,
                claims,
                templates,
                pods,
                pendingPods,
                context,
                quotas,
                workloads);
    }
}
