package dev.berth.model.api.pod;

import dev.berth.model.api.selector.LabelSelector;
import java.util.List;
import java.util.Optional;

/// Selects pods in the same topology domain: nodes with the same value of a label.
///
/// @param labelSelector selects pods; matches none when absent
/// @param namespaces namespaces of the pods; the namespace of the pod with the term if this is
///   empty and there is no namespace selector
/// @param namespaceSelector selects further namespaces; all when it has no requirements
/// @param matchLabelKeys labels whose values must equal those of the pod with the term
/// @param mismatchLabelKeys labels whose values must differ from those of the pod with the term
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
