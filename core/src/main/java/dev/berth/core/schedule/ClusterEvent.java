package dev.berth.core.schedule;

import java.util.Set;

/// A change in the cluster that may let pods in that had to wait.
///
/// What takes something away is not here: a slice or a class that goes lets nobody in. Neither is a
/// pod that ends as far as devices go: these are free only once its claim says so.
public enum ClusterEvent {
    /// A node came, changed or went: who has to spread over fewer of them may have more on each.
    NODE,
    /// A slice or a class came or changed, or a taint of devices went.
    DEVICES_OFFERED,
    /// A claim gave its devices back.
    DEVICES_FREED,
    /// A pod left its node, or takes less of it, or does not come to it after all.
    RESOURCES_FREED,
    /// A pod came to a node or has other labels; some like to be near to it.
    POD_PLACED,
    /// A namespace came or got other labels, by which pods may mean those of others.
    NAMESPACE,
    /// A volume, a claim to one or a class of them came or changed, or a volume is not promised to
    /// a pod any more.
    VOLUMES;

    /// Whether a pod that waits for these causes is worth another try.
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
