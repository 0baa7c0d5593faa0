package dev.berth.core.place.score;

import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.function.ToLongFunction;

/// NodeResourcesBalancedAllocation: how evenly CPU and memory are used after the pod is placed;
/// equal for all nodes if the pod requests neither.
final class BalancedAllocationScore implements NodeScopedScore {

    @Override
    public Object cacheKey(EvaluationContext context) {
        return context.requests();
    }

    @Override
    public ToLongFunction<NodeView> prepare(EvaluationContext context) {
        var requests = context.requests();
        if (!requests.containsKey("cpu") && !requests.containsKey("memory")) {
            return _ -> 0;
        }
        return node -> {
            var allocatable = node.allocatable();
            var used = node.usage().requested();
            var difference =
                    usedShare("cpu", allocatable, used, requests)
                            - usedShare("memory", allocatable, used, requests);
            return Math.round((1 - Math.abs(difference) / 2) * NodeScore.FULL);
        };
    }

    private static double usedShare(
            String name,
            Map<String, Quantity> allocatable,
            Map<String, Quantity> used,
            Map<String, Quantity> requests) {
        var total = allocatable.getOrDefault(name, Quantity.ZERO).milliRoundedUp();
        return total == 0
                ? 0
                : Math.min(
                        1,
                        (double) LeastAllocatedScore.requestedWithPod(name, used, requests)
                                / total);
    }
}
