package dev.berth.core.place;

import dev.berth.model.api.Node;
import dev.berth.model.api.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// How well a pod goes with what is left of a node's CPU and memory: the score of a node that stays
/// the same until the node changes or pods come to it or leave it.
final class NodeResourcesScore {

    private final Map<String, Quantity> assumed;
    private final Map<String, Quantity> asked;

    private NodeResourcesScore(Map<String, Quantity> assumed, Map<String, Quantity> asked) {
        this.assumed = assumed;
        this.asked = asked;
    }

    static NodeResourcesScore of(Pod pod) {
        return new NodeResourcesScore(
                PodResourceRequests.forScore(pod, List.of()), PodResourceRequests.of(pod));
    }

    /// All resources that the pod asks for, by name.
    Map<String, Quantity> asked() {
        return asked;
    }

    long score(Node node, NodeUsage use) {
        var offered = NodeFilters.offered(node);
        return left(offered, use.assumed()) + balance(offered, use.requested());
    }

    /// The free share of CPU and memory, once the pod is there.
    private long left(Map<String, Quantity> offered, Map<String, Quantity> used) {
        return (left("cpu", offered, used) + left("memory", offered, used)) / 2;
    }

    private long left(String name, Map<String, Quantity> offered, Map<String, Quantity> used) {
        var total = offered.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        var taken = taken(name, used, assumed);
        return total == 0 || taken > total
                ? 0
                : Math.round((total - taken) * (double) NodeScoring.FULL / total);
    }

    /// How evenly CPU and memory are used, once the pod is there; the same everywhere for a pod
    /// that asks for neither.
    private long balance(Map<String, Quantity> offered, Map<String, Quantity> used) {
        if (!asked.containsKey("cpu") && !asked.containsKey("memory")) {
            return 0;
        }
        var apart = share("cpu", offered, used) - share("memory", offered, used);
        return Math.round((1 - Math.abs(apart) / 2) * NodeScoring.FULL);
    }

    private double share(String name, Map<String, Quantity> offered, Map<String, Quantity> used) {
        var total = offered.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        return total == 0 ? 0 : Math.min(1, (double) taken(name, used, asked) / total);
    }

    private static long taken(
            String name, Map<String, Quantity> used, Map<String, Quantity> asked) {
        return used.getOrDefault(name, Quantity.ZERO)
                .plus(asked.getOrDefault(name, Quantity.ZERO))
                .milliRoundedUp();
    }
}
