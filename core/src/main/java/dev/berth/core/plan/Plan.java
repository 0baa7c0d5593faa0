package dev.berth.core.plan;

import dev.berth.core.utilisation.ClusterUtilisation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// Result of a plan.
///
/// @param outcomes one per pod, in the order of the pods
/// @param requestedClasses device classes that the pods request
/// @param before utilisation of the cluster as it is
/// @param after utilisation after changes, new nodes and placements
/// @param notes objects and errors that the plan ignores
public record Plan(
        List<PlannedPod> outcomes,
        Set<String> requestedClasses,
        ClusterUtilisation before,
        ClusterUtilisation after,
        List<String> notes,
        Optional<Growth> growth) {

    /// The number of additional nodes of one kind.
    ///
    /// @param node the node that was copied
    /// @param needed the smallest number with which all pods fit; empty when the limit is too small
    public record Growth(String node, int limit, OptionalInt needed) {}

    public Plan {
        outcomes = List.copyOf(outcomes);
        requestedClasses = Collections.unmodifiableSet(new TreeSet<>(requestedClasses));
        notes = List.copyOf(notes);
    }

    public boolean everythingFits() {
        return pending() == 0;
    }

    public long pending() {
        return outcomes.stream().filter(o -> o instanceof PlannedPod.Pending).count();
    }

    Plan with(Growth newGrowth) {
        return new Plan(outcomes, requestedClasses, before, after, notes, Optional.of(newGrowth));
    }

    Plan withBefore(ClusterUtilisation newBefore) {
        return new Plan(outcomes, requestedClasses, newBefore, after, notes, growth);
    }
}
