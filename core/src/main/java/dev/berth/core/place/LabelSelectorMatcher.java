package dev.berth.core.place;

import dev.berth.core.inventory.NodeSelectorMatcher;
import dev.berth.model.api.LabelSelector;
import dev.berth.model.api.NodeSelectorOperator;
import dev.berth.model.api.NodeSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whether a label selector means an object.
final class LabelSelectorMatcher {

    private LabelSelectorMatcher() {}

    /// True when all requirements are met. One that selectors of labels do not know means nothing.
    static boolean matches(LabelSelector selector, Map<String, String> labels) {
        for (var required : selector.matchLabels().entrySet()) {
            if (!required.getValue().equals(labels.get(required.getKey()))) {
                return false;
            }
        }
        for (var requirement : selector.matchExpressions()) {
            var label = Optional.ofNullable(labels.get(requirement.key()));
            if (!isLabelOperator(requirement) || !NodeSelectorMatcher.meets(label, requirement)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isLabelOperator(NodeSelectorRequirement requirement) {
        return requirement.operator() != NodeSelectorOperator.Known.GT
                && requirement.operator() != NodeSelectorOperator.Known.LT;
    }

    /// The selector with requirements to share, or not to share, values of labels with a pod. An
    /// API server adds them to the selector when the pod is made; to add them again does no harm.
    static Optional<LabelSelector> withMatchLabelKeys(
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
