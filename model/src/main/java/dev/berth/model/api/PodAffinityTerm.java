package dev.berth.model.api;

import java.util.List;
import java.util.Optional;

/// Pods, and how far they may be away: as far as nodes have the same value of a label.
///
/// @param labelSelector which pods; none at all when absent
/// @param namespaces where they are; the namespace of the pod that has the term, when this is empty
///   and there is no selector of namespaces
/// @param namespaceSelector further namespaces; all of them when it has no requirements
/// @param matchLabelKeys labels that they must share with the pod that has the term
/// @param mismatchLabelKeys labels in which they must differ from it
public record PodAffinityTerm(
        Optional<LabelSelector> labelSelector,
        List<String> namespaces,
        String topologyKey,
        Optional<LabelSelector> namespaceSelector,
        List<String> matchLabelKeys,
        List<String> mismatchLabelKeys) {

    public PodAffinityTerm {
        namespaces = List.copyOf(namespaces);
        matchLabelKeys = List.copyOf(matchLabelKeys);
        mismatchLabelKeys = List.copyOf(mismatchLabelKeys);
    }
}
