package dev.berth.core.snapshot;

import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Evaluates label selectors of records. `server.registry.LabelQuery` does so for trees.
public final class LabelSelectorMatcher {

    private LabelSelectorMatcher() {}

    /// True when all requirements are met. A requirement with an operator that label selectors do
    /// not have matches nothing.
    public static boolean matches(LabelSelector selector, Map<String, String> labels) {
        for (var required : selector.matchLabels().entrySet()) {
            if (!required.getValue().equals(labels.get(required.getKey()))) {
                return false;
            }
        }
        for (var requirement : selector.matchExpressions()) {
            var label = Optional.ofNullable(labels.get(requirement.key()));
            var operator = requirement.operator();
            if (!operator.isSetBased() || !operator.matches(label, requirement.values())) {
                return false;
            }
        }
        return true;
    }

    /// The selector with the requirements of `matchLabelKeys` and `mismatchLabelKeys`. The API
    /// server adds them when the pod is created; adding them again does no harm.
    public static Optional<LabelSelector> withMatchLabelKeys(
            Optional<LabelSelector> selector,
            List<String> same,
            List<String> different,
            Map<String, String> labels) {
        if (selector.isEmpty() || (same.isEmpty() && different.isEmpty())) {
            return selector;
        }
        var all = new ArrayList<>(selector.get().matchExpressions());
        add(all, same, NodeSelectorOperator.Known.IN, labels);
        add(all, different, NodeSelectorOperator.Known.NOT_IN, labels);
        return Optional.of(new LabelSelector(selector.get().matchLabels(), all));
    }

    private static void add(
            List<NodeSelectorRequirement> all,
            List<String> keys,
            NodeSelectorOperator operator,
            Map<String, String> labels) {
        for (var key : keys) {
            var value = labels.get(key);
            if (value != null) {
                all.add(new NodeSelectorRequirement(key, operator, List.of(value)));
            }
        }
    }
}
