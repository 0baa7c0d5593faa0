package dev.berth.core.schedule;

import java.util.Set;

/// A cluster event that may make unschedulable pods schedulable.
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

    /// True when the event may help a pod that waits for these reasons.
    boolean mayHelp(Set<WaitReason> waiting) {
        for (var reason : waiting) {
            if (mayHelp(reason)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayHelp(WaitReason reason) {
        return switch (this) {
            case NODE -> reason != WaitReason.CLAIM;
            case DEVICES_OFFERED, DEVICES_FREED -> reason == WaitReason.DEVICES;
            case RESOURCES_FREED ->
                    reason == WaitReason.RESOURCES
                            || reason == WaitReason.OTHER
                            || reason == WaitReason.VOLUME;
            case POD_PLACED, NAMESPACE -> reason == WaitReason.OTHER;
            case VOLUMES -> reason == WaitReason.VOLUME;
        };
    }
}
