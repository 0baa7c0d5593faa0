package dev.berth.core.place;

import dev.berth.model.api.Affinity;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// All that other pods can see of a pod, and what it wants of them. The pods of one deployment look
/// the same.
///
/// @param isLeaving true for a pod that is being deleted
record AffinityProfile(
        String namespace,
        Map<String, String> labels,
        boolean isDeleting,
        AffinityTerms affinity,
        AffinityTerms antiAffinity) {

    /// Pods that must be, or had better be, somewhere.
    record AffinityTerms(List<AffinityTerm> required, List<WeightedTerm> preferred) {

        static final AffinityTerms NONE = new AffinityTerms(List.of(), List.of());

        AffinityTerms {
            required = List.copyOf(required);
            preferred = List.copyOf(preferred);
        }
    }

    record WeightedTerm(long weight, AffinityTerm term) {}

    static AffinityProfile of(Pod pod) {
        return new AffinityProfile(
                pod.metadata().namespace(),
                pod.metadata().labels(),
                pod.metadata().isDeleting(),
                terms(pod, Affinity::podAffinity),
                terms(pod, Affinity::podAntiAffinity));
    }

    private static AffinityTerms terms(Pod pod, Function<Affinity, Optional<PodAffinity>> part) {
        var namespace = pod.metadata().namespace();
        var labels = pod.metadata().labels();
        return pod.spec()
                .affinity()
                .flatMap(part)
                .map(affinity ->
                        new AffinityTerms(
                                affinity.required().stream()
                                        .map(term -> AffinityTerm.of(term, namespace, labels))
                                        .toList(),
                                affinity.preferred().stream()
                                        .map(weighted ->
                                                new WeightedTerm(
                                                        weighted.weight(),
                                                        AffinityTerm.of(
                                                                weighted.term(),
                                                                namespace,
                                                                labels)))
                                        .toList()))
                .orElse(AffinityTerms.NONE);
    }

    /// True when the pod says anything about others.
    boolean hasTerms() {
        return !affinity.equals(AffinityTerms.NONE) || !antiAffinity.equals(AffinityTerms.NONE);
    }
}
