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
        String namespace, Map<String, String> labels, boolean isLeaving, Wants near, Wants apart) {

    /// Pods that must be, or had better be, somewhere.
    record Wants(List<AffinityTerm> required, List<Wish> preferred) {

        static final Wants NONE = new Wants(List.of(), List.of());

        Wants {
            required = List.copyOf(required);
            preferred = List.copyOf(preferred);
        }
    }

    record Wish(long weight, AffinityTerm term) {}

    static AffinityProfile of(Pod pod) {
        return new AffinityProfile(
                pod.metadata().namespace(),
                pod.metadata().labels(),
                pod.metadata().isDeleting(),
                wants(pod, Affinity::podAffinity),
                wants(pod, Affinity::podAntiAffinity));
    }

    private static Wants wants(Pod pod, Function<Affinity, Optional<PodAffinity>> part) {
        var namespace = pod.metadata().namespace();
        var labels = pod.metadata().labels();
        return pod.spec()
                .affinity()
                .flatMap(part)
                .map(wanted ->
                        new Wants(
                                wanted.required().stream()
                                        .map(term -> AffinityTerm.of(term, namespace, labels))
                                        .toList(),
                                wanted.preferred().stream()
                                        .map(wish ->
                                                new Wish(
                                                        wish.weight(),
                                                        AffinityTerm.of(
                                                                wish.term(), namespace, labels)))
                                        .toList()))
                .orElse(Wants.NONE);
    }

    /// True when the pod says anything about others.
    boolean isParticular() {
        return !near.equals(Wants.NONE) || !apart.equals(Wants.NONE);
    }
}
