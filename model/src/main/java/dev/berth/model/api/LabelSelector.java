package dev.berth.model.api;

import java.util.List;
import java.util.Map;

/// Which objects, by their labels: those that meet all requirements, and all objects when there are
/// none.
public record LabelSelector(
        Map<String, String> matchLabels, List<NodeSelectorRequirement> matchExpressions) {

    public LabelSelector {
        matchLabels = OrderedMap.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }
}
