package dev.berth.node.driver;

import dev.berth.model.api.Uid;

/// Which claim, and which of those that had that name.
public record ClaimRef(String namespace, String name, Uid uid) {

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
