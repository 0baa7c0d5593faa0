package dev.berth.core.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Result of a plan.
///
/// @param outcomes one per pod, in the order of the pods
/// @param notes objects and errors that the plan ignores
public record Plan(
        List<PlannedPod> outcomes,
        DeviceUsage before,
        DeviceUsage after,
        List<String> notes,
        Optional<Growth> growth) {

    /// The number of additional nodes of one kind.
    ///
    /// @param node the node that was copied
    /// @param needed the smallest number with which all pods fit; empty when the limit is too small
    public record Growth(String node, int limit, OptionalInt needed) {}

    public Plan {
        outcomes = List.copyOf(outcomes);
        notes = List.copyOf(notes);
    }

    public boolean everythingFits() {
        return pending() == 0;
    }

    public long pending() {
        return outcomes.stream().filter(o -> o instanceof PlannedPod.Pending).count();
    }

    Plan with(Growth newGrowth) {
        return new Plan(outcomes, before, after, notes, Optional.of(newGrowth));
    }
}
