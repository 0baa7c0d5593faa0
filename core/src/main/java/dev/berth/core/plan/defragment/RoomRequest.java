package dev.berth.core.plan.defragment;

import dev.berth.model.api.pod.Pod;

/// A pod that needs room on a node.
///
/// @param priority pods of higher priority are not evicted for it
/// @param isStatedSize true for a size that is asked for, without a pod that exists
public record RoomRequest(Pod pod, long priority, boolean isStatedSize) {

    /// A pending pod.
    public static RoomRequest of(Pod pod) {
        return new RoomRequest(pod, pod.spec().priority().orElse(0), false);
    }

    /// A size, as a pod that does not exist. Pods of every priority may be evicted for it.
    public static RoomRequest ofSize(Pod pod) {
        return new RoomRequest(pod, Long.MAX_VALUE, true);
    }
}
