package dev.berth.core.disruption;

import dev.berth.model.api.meta.OwnerReference;
import dev.berth.model.api.pod.Pod;
import java.util.Collection;
import java.util.List;

/// The number of disruptions that a PodDisruptionBudget allows now.
public final class DisruptionsAllowed {

    private DisruptionsAllowed() {}

    /// The number in the status of the budget. For a manifest without status it is computed: the
    /// controllers of the pods want as many pods as exist, and pods without conditions are healthy.
    ///
    /// @param pods all pods of the cluster
    public static long of(DisruptionBudget budget, Collection<Pod> pods) {
        var written = budget.status().number("disruptionsAllowed");
        if (written.isPresent()) {
            return written.getAsLong();
        }
        var selected = pods.stream().filter(budget::selects).toList();
        return switch (ExpectedPods.of(budget, selected, owner -> scale(owner, selected))) {
            case ExpectedPods.Failed _ -> 0;
            case ExpectedPods.Known(var expected, var desired, _) ->
                    expected <= 0
                            ? 0
                            : Math.max(
                                    0,
                                    selected.stream().filter(DisruptionsAllowed::isHealthy).count()
                                            - desired);
        };
    }

    private static OwnerScale scale(OwnerReference owner, List<Pod> selected) {
        var count =
                selected.stream()
                        .filter(pod ->
                                pod.metadata()
                                        .controller()
                                        .filter(one -> one.uid().equals(owner.uid()))
                                        .isPresent())
                        .count();
        return new OwnerScale.Replicas(owner.uid().value(), count);
    }

    private static boolean isHealthy(Pod pod) {
        return !pod.metadata().isDeleting()
                && (pod.status().conditions().isEmpty()
                        || pod.status().conditions().stream()
                                .anyMatch(one -> one.type().equals("Ready") && one.isTrue()));
    }
}
