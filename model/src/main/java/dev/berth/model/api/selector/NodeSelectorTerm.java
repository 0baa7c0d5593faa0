package dev.berth.model.api.selector;

import java.util.List;

/// Requirements on labels and on fields, all of which a node must meet; an empty term matches none.
public record NodeSelectorTerm(
        List<NodeSelectorRequirement> matchExpressions, List<NodeSelectorRequirement> matchFields) {

    public NodeSelectorTerm {
        matchExpressions = List.copyOf(matchExpressions);
        matchFields = List.copyOf(matchFields);
    }
}
