package dev.berth.core.snapshot;

import dev.berth.model.api.node.Node;
import java.util.Optional;

/// A topology domain: the nodes with one value of a label.
public record TopologyDomain(String key, String value) {

    /// The domain of a node; empty when the node has no such label.
    public static Optional<TopologyDomain> of(String key, Node node) {
        return Optional.ofNullable(node.labels().get(key))
                .map(value -> new TopologyDomain(key, value));
    }

    @Override
    public String toString() {
        return key + "=" + value;
    }
}
