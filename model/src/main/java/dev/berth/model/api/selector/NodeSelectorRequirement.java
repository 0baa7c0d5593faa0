package dev.berth.model.api.selector;

import java.util.List;

/// A requirement on one label or field of a node.
public record NodeSelectorRequirement(
        String key, NodeSelectorOperator operator, List<String> values) {

    public NodeSelectorRequirement {
        values = List.copyOf(values);
    }
}
