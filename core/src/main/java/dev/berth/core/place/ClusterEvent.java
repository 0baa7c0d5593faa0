package dev.berth.core.place;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// A cluster event that may make unschedulable pods schedulable. A [Rejection] says which events
/// can remove it.
///
/// Events that only remove capacity are absent: a deleted slice or class helps no pod. A terminated
/// pod does not free devices: they are free when its claim is deallocated.
public enum ClusterEvent {
    /// A node was added, changed or deleted. A deletion can relax topology spread constraints.
    NODE,
    /// A slice or class was added or changed, or a device taint was removed.
    DEVICES_OFFERED,
    /// A claim was deallocated.
    DEVICES_FREED,
    /// A pod was deleted or terminated, requests less, or its assumed placement was undone.
    RESOURCES_FREED,
    /// A pod was placed or its labels changed; affinity terms may match it.
    POD_PLACED,
    /// A namespace was added or its labels changed; namespace selectors may match it.
    NAMESPACE,
    /// A volume, volume claim or storage class was added or changed, or an assumed volume was
    /// released.
    VOLUMES;

    /// Events for rejections by properties of the node object.
    public static final Set<ClusterEvent> NODE_EVENTS = events(NODE);

    /// Events for rejections because of devices or allocated claims.
    public static final Set<ClusterEvent> DEVICE_EVENTS =
            events(NODE, DEVICES_OFFERED, DEVICES_FREED);

    /// Events for rejections because of resources or host ports of a node.
    public static final Set<ClusterEvent> RESOURCE_EVENTS = events(NODE, RESOURCES_FREED);

    /// Events for rejections because of pods on this or other nodes.
    public static final Set<ClusterEvent> POD_EVENTS =
            events(NODE, RESOURCES_FREED, POD_PLACED, NAMESPACE);

    /// Events for rejections because of volumes.
    public static final Set<ClusterEvent> VOLUME_EVENTS = events(NODE, RESOURCES_FREED, VOLUMES);

    private static Set<ClusterEvent> events(ClusterEvent first, ClusterEvent... others) {
        return Collections.unmodifiableSet(EnumSet.of(first, others));
    }
}
