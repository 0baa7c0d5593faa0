package dev.berth.core.snapshot;

import dev.berth.model.api.pod.Affinity;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodAffinity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// The part of a pod that inter-pod affinity and topology spread read: namespace, labels and
/// affinity terms. Replicas of one workload have equal profiles.
///
/// @param isDeleting true for a pod with a deletion timestamp
public record AffinityProfile(
        String namespace,
        Map<String, String> labels,
        boolean isDeleting,
        AffinityTerms affinity,
        AffinityTerms antiAffinity) {

    /// Required and preferred terms of one direction.
    public record AffinityTerms(List<AffinityTerm> required, List<WeightedTerm> preferred) {

        static final AffinityTerms NONE = new AffinityTerms(List.of(), List.of());

        public AffinityTerms {
            required = List.copyOf(required);
            preferred = List.copyOf(preferred);
        }
    }

    public record WeightedTerm(long weight, AffinityTerm term) {}

    public static AffinityProfile of(Pod pod) {
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

    /// True when the pod has affinity or anti-affinity terms.
    public boolean hasTerms() {
        return !affinity.equals(AffinityTerms.NONE) || !antiAffinity.equals(AffinityTerms.NONE);
    }
}
