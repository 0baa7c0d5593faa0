package dev.berth.model.api.selector;

import dev.berth.model.api.meta.OrderedMap;
import java.util.List;
import java.util.Map;

/// Selects objects by labels: all requirements must match; without requirements all objects match.
public record LabelSelector(
        Map<String, String> matchLabels, List<NodeSelectorRequirement> matchExpressions) {

    public LabelSelector {
        matchLabels = OrderedMap.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }
}
