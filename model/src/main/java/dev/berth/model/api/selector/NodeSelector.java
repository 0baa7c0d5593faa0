package dev.berth.model.api.selector;

import java.util.List;

/// Selects nodes: at least one term must match; without terms no node matches.
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
