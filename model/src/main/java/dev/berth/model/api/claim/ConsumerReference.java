package dev.berth.model.api.claim;

import dev.berth.model.api.meta.Uid;

/// Consumer of a claim: a pod or a pod group in the claim's namespace. `resource` is the plural
/// name.
public record ConsumerReference(String apiGroup, String resource, String name, Uid uid) {

    public static ConsumerReference pod(String name, Uid uid) {
        return new ConsumerReference("", "pods", name, uid);
    }

    public static ConsumerReference podGroup(String name, Uid uid) {
        return new ConsumerReference("scheduling.k8s.io", "podgroups", name, uid);
    }

    public boolean isPodGroup() {
        return resource.equals("podgroups");
    }
}
