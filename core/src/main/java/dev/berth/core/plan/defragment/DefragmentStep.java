package dev.berth.core.plan.defragment;

import dev.berth.model.api.pod.Pod;

/// One step of a defragmentation. Each step is possible after those before it.
public sealed interface DefragmentStep {

    /// Makes a node unschedulable, so that replacements of its pods do not return to it.
    record Cordon(String node) implements DefragmentStep {}

    /// Evicts a pod, whose controller creates a replacement. The next step begins when the
    /// replacement is ready.
    ///
    /// @param destination the node on which the replacement fits
    /// @param budgeted whether a PodDisruptionBudget selects the pod
    record Evict(Pod pod, String node, String destination, boolean budgeted)
            implements DefragmentStep {}

    /// Makes a node schedulable again.
    record Uncordon(String node) implements DefragmentStep {}

    /// Schedules a pod on the node with the new room.
    record Schedule(RoomRequest room, String node) implements DefragmentStep {}
}
