package dev.berth.core.plan.defragment;

import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.List;

/// Result of a defragmentation.
///
/// @param fitting requests that fit without evictions, with their nodes
/// @param steps the steps in their order
/// @param unserved requests for which the search found no evictions
/// @param isCutShort whether the search reached its limit, so that there may be more solutions
/// @param after the cluster after all steps, with the pods that were placed; a stated size stays
///   free
public record DefragmentPlan(
        List<DefragmentStep.Schedule> fitting,
        List<DefragmentStep> steps,
        List<RoomRequest> unserved,
        boolean isCutShort,
        ClusterSnapshot after) {

    public DefragmentPlan {
        fitting = List.copyOf(fitting);
        steps = List.copyOf(steps);
        unserved = List.copyOf(unserved);
    }

    /// The evictions among the steps.
    public List<DefragmentStep.Evict> evictions() {
        return steps.stream()
                .filter(DefragmentStep.Evict.class::isInstance)
                .map(DefragmentStep.Evict.class::cast)
                .toList();
    }

    /// The requests for which evictions make room, with their nodes.
    public List<DefragmentStep.Schedule> served() {
        return steps.stream()
                .filter(DefragmentStep.Schedule.class::isInstance)
                .map(DefragmentStep.Schedule.class::cast)
                .toList();
    }
}
