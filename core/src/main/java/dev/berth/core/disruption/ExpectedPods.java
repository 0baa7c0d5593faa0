package dev.berth.core.disruption;

import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonNumber;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The number of pods that a budget expects, and how many of them have to be healthy.
sealed interface ExpectedPods {

    int PERCENT = 100;

    /// The numbers.
    ///
    /// @param unmanaged names of pods without controller, which are not expected
    record Known(long expected, long desiredHealthy, List<String> unmanaged)
            implements ExpectedPods {

        public Known {
            unmanaged = List.copyOf(unmanaged);
        }
    }

    /// The number cannot be determined.
    record Failed(String message) implements ExpectedPods {}

    /// Percentages are rounded up, also those of `maxUnavailable`.
    ///
    /// @param scales the scale of a pod's controller
    static ExpectedPods of(
            DisruptionBudget budget,
            Collection<Pod> pods,
            Function<OwnerReference, OwnerScale> scales) {
        var maxUnavailable = budget.amount("maxUnavailable");
        var minAvailable = budget.amount("minAvailable");
        if (maxUnavailable.isEmpty() && minAvailable.isEmpty()) {
            return new Known(0, 0, List.of());
        }
        if (maxUnavailable.isEmpty() && minAvailable.get() instanceof JsonNumber number) {
            return new Known(pods.size(), number.asLong().orElse(0), List.of());
        }
        return switch (scale(pods, scales)) {
            case Failed failed -> failed;
            case Known(var expected, _, var unmanaged) ->
                    new Known(expected, desired(maxUnavailable, minAvailable, expected), unmanaged);
        };
    }

    private static long desired(
            Optional<Json> maxUnavailable, Optional<Json> minAvailable, long expected) {
        return maxUnavailable
                .map(amount -> Math.max(0, expected - scaled(amount, expected)))
                .or(() -> minAvailable.map(amount -> scaled(amount, expected)))
                .orElse(0L);
    }

    /// A number, or a percentage of a total, rounded up.
    private static long scaled(Json amount, long total) {
        if (amount instanceof JsonNumber number) {
            return number.asLong().orElse(0);
        }
        var text = amount instanceof Json.JsonString(var value) ? value : "";
        if (!text.matches("[0-9]{1,9}%")) {
            return 0;
        }
        var percent = Long.parseLong(text.substring(0, text.length() - 1));
        return Math.ceilDiv(percent * total, PERCENT);
    }

    /// The sum of the replicas of all controllers of pods.
    private static ExpectedPods scale(
            Collection<Pod> pods, Function<OwnerReference, OwnerScale> scales) {
        var replicas = new HashMap<String, Long>();
        var unmanaged = new ArrayList<String>();
        for (var pod : pods) {
            var owner = pod.metadata().controller();
            if (owner.isEmpty()) {
                unmanaged.add(pod.metadata().name());
                continue;
            }
            switch (scales.apply(owner.get())) {
                case OwnerScale.Replicas(var uid, var count) -> replicas.put(uid, count);
                case OwnerScale.NotFound _ -> {
                    return new Failed(
                            "found no controllers for pod \"%s\"".formatted(pod.metadata().name()));
                }
                case OwnerScale.NotScalable(var resource) -> {
                    return new Failed(resource + " does not implement the scale subresource");
                }
            }
        }
        var sum = replicas.values().stream().mapToLong(Long::longValue).sum();
        return new Known(sum, 0, unmanaged);
    }
}
