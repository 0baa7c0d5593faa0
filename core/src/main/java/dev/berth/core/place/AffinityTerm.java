package dev.berth.core.place;

import dev.berth.model.api.LabelSelector;
import dev.berth.model.api.PodAffinityTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pods that a pod speaks of, with all that follows from who speaks filled in.
///
/// @param namespaces where they are, besides those that are selected
/// @param topologyKey the label of nodes that says what is near
public record AffinityTerm(
        List<String> namespaces,
        Optional<LabelSelector> namespaceSelector,
        Optional<LabelSelector> labelSelector,
        String topologyKey) {

    /// The term as a pod of this namespace, with these labels, means it.
    static AffinityTerm of(PodAffinityTerm term, String namespace, Map<String, String> labels) {
        var isOwn = term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        return new AffinityTerm(
                isOwn ? List.of(namespace) : term.namespaces(),
                term.namespaceSelector(),
                LabelSelectorMatcher.withMatchLabelKeys(
                        term.labelSelector(),
                        term.matchLabelKeys(),
                        term.mismatchLabelKeys(),
                        labels),
                term.topologyKey());
    }

    boolean matches(AffinityProfile pod, NamespaceLabels all) {
        return labelSelector.isPresent()
                && isInNamespaces(pod.namespace(), all)
                && LabelSelectorMatcher.matches(labelSelector.get(), pod.labels());
    }

    private boolean isInNamespaces(String namespace, NamespaceLabels all) {
        return namespaces.contains(namespace)
                || (namespaceSelector.isPresent()
                        && LabelSelectorMatcher.matches(
                                namespaceSelector.get(), all.labels(namespace)));
    }
}
