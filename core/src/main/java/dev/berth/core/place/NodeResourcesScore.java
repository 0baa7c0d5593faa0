package dev.berth.core.place;

import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// Scores NodeResourcesLeastAllocated and NodeResourcesBalancedAllocation for CPU and memory. The
/// score of a node is valid until the node or its pods change.
final class NodeResourcesScore {

    private final Map<String, Quantity> nonZeroRequests;
    private final Map<String, Quantity> requests;

    private NodeResourcesScore(
            Map<String, Quantity> nonZeroRequests, Map<String, Quantity> requests) {
        this.nonZeroRequests = nonZeroRequests;
        this.requests = requests;
    }

    static NodeResourcesScore of(Pod pod) {
        return new NodeResourcesScore(
                PodResourceRequests.nonZero(pod, List.of()), PodResourceRequests.of(pod));
    }

    /// All resources that the pod requests.
    Map<String, Quantity> requests() {
        return requests;
    }

    long score(Node node, NodeUsage usage) {
        var allocatable = NodeFilters.allocatable(node);
        return freeShare(allocatable, usage.nonZeroRequested())
                + balance(allocatable, usage.requested());
    }

    /// LeastAllocated: the free share of CPU and memory after the pod is placed.
    private long freeShare(Map<String, Quantity> allocatable, Map<String, Quantity> used) {
        return (freeShare("cpu", allocatable, used) + freeShare("memory", allocatable, used)) / 2;
    }

    private long freeShare(
            String name, Map<String, Quantity> allocatable, Map<String, Quantity> used) {
        var total = allocatable.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        var sum = requestedWithPod(name, used, nonZeroRequests);
        return total == 0 || sum > total
                ? 0
                : Math.round((total - sum) * (double) NodeScoring.FULL / total);
    }

    /// BalancedAllocation: how evenly CPU and memory are used after the pod is placed; equal for
    /// all nodes if the pod requests neither.
    private long balance(Map<String, Quantity> allocatable, Map<String, Quantity> used) {
        if (!requests.containsKey("cpu") && !requests.containsKey("memory")) {
            return 0;
        }
        var difference =
                usedShare("cpu", allocatable, used) - usedShare("memory", allocatable, used);
        return Math.round((1 - Math.abs(difference) / 2) * NodeScoring.FULL);
    }

    private double usedShare(
            String name, Map<String, Quantity> allocatable, Map<String, Quantity> used) {
        var total = allocatable.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        return total == 0
                ? 0
                : Math.min(1, (double) requestedWithPod(name, used, requests) / total);
    }

    private static long requestedWithPod(
            String name, Map<String, Quantity> used, Map<String, Quantity> ofPod) {
        return used.getOrDefault(name, Quantity.ZERO)
                .plus(ofPod.getOrDefault(name, Quantity.ZERO))
                .milliRoundedUp();
    }
}
