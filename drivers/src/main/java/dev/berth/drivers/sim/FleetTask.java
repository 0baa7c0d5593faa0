package dev.berth.drivers.sim;

import dev.berth.model.api.ObjectRef;

/// Something of the simulated fleet that is looked after: brought nearer to what it should be,
/// whenever something happens to it.
sealed interface FleetTask {

    /// A node's object.
    record Register(String node) implements FleetTask {}

    /// A node's heartbeat.
    record Renew(String node) implements FleetTask {}

    /// The slices of a node's drivers.
    record Publish(String node) implements FleetTask {}

    /// The slices of pools that belong to no node.
    record PublishShared() implements FleetTask {}

    /// A node that is not in the plan of this start.
    record Discard(String node) implements FleetTask {}

    /// A node whose label names no profile.
    record Reject(String node) implements FleetTask {}

    record RunPod(ObjectRef pod) implements FleetTask {}

    /// What drivers say of a claim's devices.
    record Attach(ObjectRef claim) implements FleetTask {}
}
