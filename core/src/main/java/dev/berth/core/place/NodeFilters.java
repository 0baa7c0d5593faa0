package dev.berth.core.place;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeTaint;
import dev.berth.model.api.NodeTaintEffect;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.Toleration;
import dev.berth.model.api.TolerationOperator;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Node filters that need no devices, in the order of Kubernetes: NodeUnschedulable, NodeName,
/// TaintToleration, NodeAffinity, NodePorts, NodeResourcesFit.
public final class NodeFilters {

    private static final NodeTaint UNSCHEDULABLE =
            new NodeTaint(
                    "node.kubernetes.io/unschedulable",
                    "",
                    NodeTaintEffect.Known.NO_SCHEDULE,
                    Optional.empty());

    private NodeFilters() {}

    /// True when the pod tolerates the node's taints and matches its labels, regardless of free
    /// resources. DaemonSet pods are created only for such nodes.
    public static boolean isEligible(Pod pod, Node node) {
        return untolerated(pod, node).isEmpty() && matchesNodeAffinity(pod, node);
    }

    /// The first reason to reject the node, regardless of devices.
    ///
    /// @param requests all resources that the pod requests
    static Optional<Rejection> rejection(
            Pod pod,
            Map<String, Quantity> requests,
            ExtendedResources extended,
            Node node,
            NodeUsage usage) {
        return unschedulable(pod, node)
                .or(() -> nodeNameMismatch(pod, node))
                .or(() -> untolerated(pod, node).map(Rejection.UntoleratedTaint::new))
                .or(() -> nodeAffinityMismatch(pod, node))
                .or(() -> portTaken(pod, usage))
                .or(() -> insufficient(requests, extended, node, usage).stream().findFirst());
    }

    /// All reasons to reject the node, regardless of devices.
    static List<Rejection> rejections(
            Pod pod,
            Map<String, Quantity> requests,
            ExtendedResources extended,
            Node node,
            NodeUsage usage) {
        var all = new ArrayList<Rejection>();
        unschedulable(pod, node).ifPresent(all::add);
        nodeNameMismatch(pod, node).ifPresent(all::add);
        untolerated(pod, node).map(Rejection.UntoleratedTaint::new).ifPresent(all::add);
        nodeAffinityMismatch(pod, node).ifPresent(all::add);
        portTaken(pod, usage).ifPresent(all::add);
        all.addAll(insufficient(requests, extended, node, usage));
        return all;
    }

    private static Optional<Rejection> unschedulable(Pod pod, Node node) {
        return node.spec().unschedulable() && !tolerates(pod.spec().tolerations(), UNSCHEDULABLE)
                ? Optional.of(new Rejection.Unschedulable())
                : Optional.empty();
    }

    private static Optional<Rejection> nodeNameMismatch(Pod pod, Node node) {
        var named = pod.spec().nodeName();
        return named.isEmpty() || named.equals(node.name())
                ? Optional.empty()
                : Optional.of(new Rejection.NodeNameMismatch(named));
    }

    /// The first taint with effect NoSchedule or NoExecute that the pod does not tolerate.
    public static Optional<NodeTaint> untolerated(Pod pod, Node node) {
        return node.spec().taints().stream()
                .filter(taint -> preventsScheduling(taint.effect()))
                .filter(taint -> !tolerates(pod.spec().tolerations(), taint))
                .findFirst();
    }

    private static boolean preventsScheduling(NodeTaintEffect effect) {
        return effect == NodeTaintEffect.Known.NO_SCHEDULE
                || effect == NodeTaintEffect.Known.NO_EXECUTE;
    }

    static boolean tolerates(List<Toleration> tolerations, NodeTaint taint) {
        return tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint));
    }

    private static boolean tolerates(Toleration toleration, NodeTaint taint) {
        if (toleration.effect().filter(effect -> !effect.equals(taint.effect())).isPresent()
                || (!toleration.key().isEmpty() && !toleration.key().equals(taint.key()))) {
            return false;
        }
        return switch (toleration.operator()) {
            case TolerationOperator.Known known ->
                    switch (known) {
                        case EXISTS -> true;
                        case EQUAL, UNSET -> toleration.value().equals(taint.value());
                    };
            case TolerationOperator.Unrecognised _ -> false;
        };
    }

    static boolean matchesNodeAffinity(Pod pod, Node node) {
        return nodeAffinityMismatch(pod, node).isEmpty();
    }

    private static Optional<Rejection> nodeAffinityMismatch(Pod pod, Node node) {
        for (var required : pod.spec().nodeSelector().entrySet()) {
            if (!required.getValue().equals(node.labels().get(required.getKey()))) {
                var label = new TopologyDomain(required.getKey(), required.getValue());
                return Optional.of(new Rejection.NodeAffinityMismatch(Optional.of(label)));
            }
        }
        return pod.spec()
                .affinity()
                .flatMap(affinity -> affinity.nodeAffinity())
                .flatMap(affinity -> affinity.required())
                .filter(selector -> !NodeSelectorMatcher.matches(selector, node))
                .map(_ -> new Rejection.NodeAffinityMismatch(Optional.empty()));
    }

    private static Optional<Rejection> portTaken(Pod pod, NodeUsage usage) {
        for (var port : PodResourceRequests.ports(pod)) {
            for (var used : usage.ports()) {
                if (port.clashesWith(used)) {
                    return Optional.of(new Rejection.PortTaken(port.port()));
                }
            }
        }
        return Optional.empty();
    }

    /// The requested resources of which the node has too little left.
    static List<Rejection> insufficient(
            Map<String, Quantity> requests,
            ExtendedResources extended,
            Node node,
            NodeUsage usage) {
        var allocatable = allocatable(node);
        if (allocatable.isEmpty()) {
            return List.of();
        }
        var all = new ArrayList<Rejection>();
        for (var request : requests.entrySet()) {
            var name = request.getKey();
            if (extended.comesFromDevices(name, node)) {
                continue;
            }
            var total = allocatable.getOrDefault(name, Quantity.ZERO);
            var left = total.minus(usage.requested().getOrDefault(name, Quantity.ZERO));
            if (request.getValue().signum() > 0 && request.getValue().compareTo(left) > 0) {
                all.add(new Rejection.Insufficient(name, request.getValue(), left, total));
            }
        }
        return all;
    }

    /// Allocatable resources of a node, or its capacity. Empty for a node without either, such as a
    /// sketch in a file: then only devices are checked.
    static Map<String, Quantity> allocatable(Node node) {
        return node.status().allocatable().isEmpty()
                ? node.status().capacity()
                : node.status().allocatable();
    }

    /// The first allocated claim whose devices are not available on the node.
    public static Optional<Rejection> unavailableClaim(List<ResourceClaim> allocated, Node node) {
        for (var claim : allocated) {
            var allocation = claim.status().allocation().orElseThrow();
            var selector = allocation.nodeSelector();
            if (selector.isPresent() && !NodeSelectorMatcher.matches(selector.get(), node)) {
                return Optional.of(new Rejection.ClaimNotOnNode(claim.ref()));
            }
            for (var device : allocation.devices()) {
                if (!device.skipNodeOperations().isEmpty() && !node.status().canSkipOperations()) {
                    return Optional.of(
                            new Rejection.NodeOperationsNotSkippable(claim.ref(), device.id()));
                }
            }
        }
        return Optional.empty();
    }
}
