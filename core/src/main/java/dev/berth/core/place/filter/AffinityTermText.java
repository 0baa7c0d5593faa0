package dev.berth.core.place.filter;

import dev.berth.core.snapshot.AffinityTerm;
import dev.berth.core.snapshot.TopologyDomain;
import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Formats affinity terms for explanations: the labels and namespaces of the pods that they select.
final class AffinityTermText {

    private AffinityTermText() {}

    static String format(List<AffinityTerm> terms) {
        return terms.stream()
                .map(AffinityTermText::format)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    /// `app=db`, with the namespaces when they need not be the pod's own.
    static String format(AffinityTerm term) {
        var labels = term.labelSelector().map(AffinityTermText::format).orElse("(none)");
        if (term.namespaceSelector().isPresent()) {
            var selected = term.namespaceSelector().map(AffinityTermText::format).orElse("");
            return labels + " in namespaces with " + selected;
        }
        return term.namespaces().size() > 1
                ? labels + " in namespaces " + String.join(", ", term.namespaces())
                : labels;
    }

    private static String format(LabelSelector selector) {
        var parts = new ArrayList<String>();
        selector.matchLabels()
                .forEach((key, value) -> parts.add(new TopologyDomain(key, value).toString()));
        selector.matchExpressions().forEach(one -> parts.add(format(one)));
        return parts.isEmpty() ? "(any)" : String.join(",", parts);
    }

    private static String format(NodeSelectorRequirement requirement) {
        var key = requirement.key();
        var values = "(" + String.join(", ", requirement.values()) + ")";
        return switch (requirement.operator()) {
            case NodeSelectorOperator.Known known ->
                    switch (known) {
                        case IN -> key + " in " + values;
                        case NOT_IN -> key + " not in " + values;
                        case EXISTS -> key;
                        case DOES_NOT_EXIST -> "!" + key;
                        case GT -> key + " > " + values;
                        case LT -> key + " < " + values;
                    };
            case NodeSelectorOperator.Unrecognised(var text) -> key + " " + text + " " + values;
        };
    }
}
