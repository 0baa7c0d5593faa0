package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;

/// The pods on a node, and what they take of it together.
record Tenants(Sorted<ObjectRef, Pod> pods, NodeUse use) {

    static final Tenants NONE = new Tenants(Sorted.of(), NodeUse.NONE);

    /// Adds to the sum where it can; a pod that is replaced must be taken out of it first.
    Tenants with(Pod pod) {
        return pods.find(pod.ref()).isPresent()
                ? without(pod.ref()).with(pod)
                : new Tenants(pods.with(pod.ref(), pod), use.with(pod));
    }

    Tenants without(ObjectRef ref) {
        var rest = pods.without(ref);
        var sum = NodeUse.NONE;
        for (var pod : rest.values()) {
            sum = sum.with(pod);
        }
        return new Tenants(rest, sum);
    }
}
