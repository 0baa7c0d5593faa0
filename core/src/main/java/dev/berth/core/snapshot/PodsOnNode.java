package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;

/// The pods of a node and their summed resource requests.
record PodsOnNode(PersistentSortedMap<ObjectRef, Pod> pods, NodeUsage usage) {

    static final PodsOnNode NONE = new PodsOnNode(PersistentSortedMap.of(), NodeUsage.NONE);

    /// Adds a pod to the sums. A replaced pod is removed first.
    PodsOnNode with(Pod pod) {
        return pods.find(pod.ref()).isPresent()
                ? without(pod.ref()).with(pod)
                : new PodsOnNode(pods.with(pod.ref(), pod), usage.with(pod));
    }

    PodsOnNode without(ObjectRef ref) {
        var rest = pods.without(ref);
        var sum = NodeUsage.NONE;
        for (var pod : rest.values()) {
            sum = sum.with(pod);
        }
        return new PodsOnNode(rest, sum);
    }
}
