package dev.berth.model.api;

import java.util.List;

/// Which nodes: those that match any of the terms; none when there are no terms.
public record NodeSelector(List<NodeSelectorTerm> terms) {

    public NodeSelector {
        terms = List.copyOf(terms);
    }

    /// The selector of exactly one node.
    public static NodeSelector ofNode(String name) {
        return new NodeSelector(
                List.of(
                        new NodeSelectorTerm(
                                List.of(),
                                List.of(
                                        new NodeSelectorRequirement(
                                                "metadata.name",
                                                NodeSelectorOperator.Known.IN,
                                                List.of(name))))));
    }
}
