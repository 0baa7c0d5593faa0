package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.function.ToLongFunction;

/// NodeResourcesFit with strategy LeastAllocated: the free share of CPU and memory after the pod is
/// placed.
final class LeastAllocatedScore implements NodeScopedScore {

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.nonZeroRequests();
    }

    @Override
    public ToLongFunction<NodeView> prepare(EvaluationContext context) {
        var requests = context.nonZeroRequests();
        return node -> {
            var allocatable = node.allocatable();
            var used = node.usage().nonZeroRequested();
            return (freeShare("cpu", allocatable, used, requests)
                            + freeShare("memory", allocatable, used, requests))
                    / 2;
        };
    }

    private static long freeShare(
            String name,
            Map<String, Quantity> allocatable,
            Map<String, Quantity> used,
            Map<String, Quantity> requests) {
        var total = allocatable.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        var sum = requestedWithPod(name, used, requests);
        return total == 0 || sum > total
                ? 0
                : Math.round((total - sum) * (double) NodeScore.FULL / total);
    }

    /// The amount in use on the node once the pod is placed, in thousandths.
    static long requestedWithPod(
            String name, Map<String, Quantity> used, Map<String, Quantity> ofPod) {
        return used.getOrDefault(name, Quantity.ZERO)
                .plus(ofPod.getOrDefault(name, Quantity.ZERO))
                .milliRoundedUp();
    }
}
