package dev.berth.model.api;

import java.util.List;

/// What one label or field of a node must be.
public record NodeSelectorRequirement(
        String key, NodeSelectorOperator operator, List<String> values) {

    public NodeSelectorRequirement {
        values = List.copyOf(values);
    }
}
