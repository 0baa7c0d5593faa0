package dev.berth.core.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What would happen to a scenario.
///
/// @param outcomes one a pod, in the order of the pods
/// @param notes what the plan does not take into account
public record Plan(
        List<PlannedPod> outcomes,
        DeviceUsage before,
        DeviceUsage after,
        List<String> notes,
        Optional<Growth> growth) {

    /// How many nodes of a kind are needed.
    ///
    /// @param node the node that was copied
    /// @param needed the smallest number that lets everything fit; empty when the limit is not
    ///   enough
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
