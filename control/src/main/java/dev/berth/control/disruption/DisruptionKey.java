package dev.berth.control.disruption;

import dev.berth.model.api.meta.ObjectRef;

/// Keys of the disruption controller.
sealed interface DisruptionKey {

    /// A budget whose status is computed.
    record OfBudget(ObjectRef ref) implements DisruptionKey {}

    /// A pod whose `DisruptionTarget` condition may become stale.
    record OfPod(ObjectRef ref) implements DisruptionKey {}
}
