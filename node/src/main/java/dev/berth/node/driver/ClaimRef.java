package dev.berth.node.driver;

import dev.berth.model.api.meta.Uid;

/// Namespace, name and UID of a ResourceClaim.
public record ClaimRef(String namespace, String name, Uid uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
