package dev.berth.core.place;

import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// How well a pod goes with what is left of a node's CPU and memory: the score of a node that stays
/// the same until the node changes or pods come to it or leave it.
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

    /// All resources that the pod asks for, by name.
    Map<String, Quantity> requests() {
        return requests;
    }

    long score(Node node, NodeUsage usage) {
        var allocatable = NodeFilters.allocatable(node);
        return freeShare(allocatable, usage.nonZeroRequested())
                + balance(allocatable, usage.requested());
    }

    /// The free share of CPU and memory, once the pod is there.
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

    /// How evenly CPU and memory are used, once the pod is there; the same everywhere for a pod
    /// that asks for neither.
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
