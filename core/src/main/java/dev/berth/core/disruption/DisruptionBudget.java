package dev.berth.core.disruption;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.selector.LabelSelector;
import dev.berth.model.api.selector.NodeSelectorOperator;
import dev.berth.model.api.selector.NodeSelectorRequirement;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.TreeMap;

/// A PodDisruptionBudget.
///
/// @param tree the object as JSON
/// @param selector empty for a budget without selector, which selects no pods
public record DisruptionBudget(JsonObject tree, Optional<LabelSelector> selector) {

    public static DisruptionBudget of(JsonObject tree) {
        return new DisruptionBudget(
                tree,
                tree.objectOrEmpty("spec").object("selector").map(DisruptionBudget::selector));
    }

    private static LabelSelector selector(JsonObject tree) {
        var labels = new LinkedHashMap<String, String>();
        var matchLabels = tree.objectOrEmpty("matchLabels");
        matchLabels.names().forEach(name -> labels.put(name, matchLabels.text(name)));
        var expressions =
                tree.objects("matchExpressions").stream()
                        .map(one ->
                                new NodeSelectorRequirement(
                                        one.text("key"),
                                        NodeSelectorOperator.setBased(one.text("operator")),
                                        one.strings("values")))
                        .toList();
        return new LabelSelector(labels, expressions);
    }

    public ObjectRef ref() {
        return new ObjectRef(metadata().text("namespace"), metadata().text("name"));
    }

    JsonObject metadata() {
        return tree.objectOrEmpty("metadata");
    }

    JsonObject status() {
        return tree.objectOrEmpty("status");
    }

    long generation() {
        return metadata().number("generation").orElse(0);
    }

    /// `spec.minAvailable` or `spec.maxUnavailable`: a number or a percentage.
    Optional<Json> amount(String field) {
        return tree.objectOrEmpty("spec").member(field);
    }

    /// True when the budget covers a pod.
    public boolean selects(Pod pod) {
        return ref().namespace().equals(pod.metadata().namespace())
                && selector.filter(one -> one.matches(pod.metadata().labels())).isPresent();
    }

    /// The selector as Go prints it, for the event `UnmanagedPods`.
    String selectorText() {
        if (selector.isEmpty()) {
            return "nil";
        }
        var text = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
        new TreeMap<>(selector.get().matchLabels())
                .forEach((key, value) -> text.append(key).append(": ").append(value).append(','));
        text.append("},MatchExpressions:[]LabelSelectorRequirement{");
        for (var one : selector.get().matchExpressions()) {
            text.append(
                    "LabelSelectorRequirement{Key:%s,Operator:%s,Values:[%s],},"
                            .formatted(
                                    one.key(),
                                    one.operator().text(),
                                    String.join(" ", one.values())));
        }
        return text.append("},}").toString();
    }
}
