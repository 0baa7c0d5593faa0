package dev.berth.model.api.selector;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/// Selects objects by labels: all requirements must match; without requirements all objects match.
///
/// The operators of the field of an object are set-based; reading it makes others
/// [NodeSelectorOperator.Unrecognised], which match nothing. The string form also has `Gt` and
/// `Lt`.
public record LabelSelector(
        Map<String, String> matchLabels, List<NodeSelectorRequirement> matchExpressions) {

    /// Matches every object.
    public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

    public LabelSelector {
        matchLabels = OrderedMap.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }

    public boolean isEverything() {
        return matchLabels.isEmpty() && matchExpressions.isEmpty();
    }

    /// True if an object with these labels matches.
    public boolean matches(Map<String, String> labels) {
        return matches(labels, (all, key) -> Optional.ofNullable(all.get(key)));
    }

    /// True if an object with these labels matches.
    public boolean matches(JsonObject labels) {
        return matches(labels, JsonObject::string);
    }

    /// @param lookup the value of a label; captures nothing, so that a match allocates nothing for
    ///   it
    private <L> boolean matches(L labels, BiFunction<L, String, Optional<String>> lookup) {
        for (var required : matchLabels.entrySet()) {
            var label = lookup.apply(labels, required.getKey());
            if (label.isEmpty() || !label.get().equals(required.getValue())) {
                return false;
            }
        }
        for (var requirement : matchExpressions) {
            var label = lookup.apply(labels, requirement.key());
            if (!requirement.operator().matches(label, requirement.values())) {
                return false;
            }
        }
        return true;
    }

    /// The selector with the requirements of `matchLabelKeys` and `mismatchLabelKeys`. The API
    /// server adds them when the pod is created; adding them again does no harm.
    ///
    /// @param labels of the pod
    public LabelSelector withLabelKeys(
            List<String> matching, List<String> mismatching, Map<String, String> labels) {
        if (matching.isEmpty() && mismatching.isEmpty()) {
            return this;
        }
        var all = new ArrayList<>(matchExpressions);
        add(all, matching, NodeSelectorOperator.Known.IN, labels);
        add(all, mismatching, NodeSelectorOperator.Known.NOT_IN, labels);
        return new LabelSelector(matchLabels, all);
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
