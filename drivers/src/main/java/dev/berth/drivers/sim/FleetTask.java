package dev.berth.drivers.sim;

import dev.berth.model.api.meta.ObjectRef;

/// A reconcile task of the simulated fleet; its record is its key in the work queue.
sealed interface FleetTask {

    /// Reconciles a Node object.
    record Register(String node) implements FleetTask {}

    /// Renews the Lease of a node.
    record Renew(String node) implements FleetTask {}

    /// Publishes the ResourceSlices of a node.
    record Publish(String node) implements FleetTask {}

    /// Publishes the ResourceSlices of network-attached pools.
    record PublishShared() implements FleetTask {}

    /// Deletes a simulated node that is not in the plan.
    record Discard(String node) implements FleetTask {}

    /// Reports an unknown profile in the label of a node.
    record Reject(String node) implements FleetTask {}

    /// Simulates the lifecycle of a pod.
    record RunPod(ObjectRef pod) implements FleetTask {}

    /// Writes recorded events.
    record WriteEvents() implements FleetTask {}

    /// Reports binding conditions of a claim's devices.
    record Attach(ObjectRef claim) implements FleetTask {}
}
