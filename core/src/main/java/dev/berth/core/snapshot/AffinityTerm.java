package dev.berth.core.snapshot;

import dev.berth.model.api.pod.PodAffinityTerm;
import dev.berth.model.api.selector.LabelSelector;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An affinity term with the defaults of its pod applied: own namespace, `matchLabelKeys` and
/// `mismatchLabelKeys`.
///
/// @param namespaces namespaces by name, in addition to those of the namespace selector
/// @param topologyKey the node label that defines the topology domains
public record AffinityTerm(
        List<String> namespaces,
        Optional<LabelSelector> namespaceSelector,
        Optional<LabelSelector> labelSelector,
        String topologyKey) {

    /// Resolves a term for a pod of this namespace with these labels.
    public static AffinityTerm of(
            PodAffinityTerm term, String namespace, Map<String, String> labels) {
        var isOwn = term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        return new AffinityTerm(
                isOwn ? List.of(namespace) : term.namespaces(),
                term.namespaceSelector(),
                term.labelSelector()
                        .map(one ->
                                one.withLabelKeys(
                                        term.matchLabelKeys(), term.mismatchLabelKeys(), labels)),
                term.topologyKey());
    }

    public boolean matches(AffinityProfile pod, NamespaceLabels all) {
        return labelSelector.isPresent()
                && isInNamespaces(pod.namespace(), all)
                && labelSelector.get().matches(pod.labels());
    }

    private boolean isInNamespaces(String namespace, NamespaceLabels all) {
        return namespaces.contains(namespace)
                || (namespaceSelector.isPresent()
                        && namespaceSelector.get().matches(all.labels(namespace)));
    }
}
