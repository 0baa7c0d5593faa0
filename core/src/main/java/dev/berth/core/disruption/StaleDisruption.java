package dev.berth.core.disruption;

import dev.berth.core.lifecycle.PodClaimPhase;
import dev.berth.model.api.pod.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Pods with the condition `DisruptionTarget` that are not deleted: their condition becomes `False`
/// after a while.
public final class StaleDisruption {

    public static final String CONDITION = "DisruptionTarget";

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /// The kubelet may terminate a pod long after it set the condition.
    private static final String BY_KUBELET = "TerminationByKubelet";

    private StaleDisruption() {}

    /// When the condition of a pod becomes stale; empty if it has none that can.
    public static Optional<Instant> at(Pod pod) {
        if (pod.metadata().isDeleting() || PodClaimPhase.isTerminated(pod)) {
            return Optional.empty();
        }
        return pod.status().conditions().stream()
                .filter(one -> one.type().equals(CONDITION) && one.isTrue())
                .filter(one -> !one.reason().equals(BY_KUBELET))
                .findFirst()
                .map(one -> one.lastTransitionTime().orElse(Instant.EPOCH).plus(TIMEOUT));
    }
}
