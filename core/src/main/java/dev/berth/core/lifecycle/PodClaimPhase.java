package dev.berth.core.lifecycle;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.api.pod.PodClaimReferences;
import dev.berth.model.api.pod.PodPhase;

/// The phase of a pod with respect to its claims.
public final class PodClaimPhase {

    private PodClaimPhase() {}

    /// True when the pod has phase `Succeeded` or `Failed`.
    public static boolean isTerminated(Pod pod) {
        return pod.status().phase() == PodPhase.Known.SUCCEEDED
                || pod.status().phase() == PodPhase.Known.FAILED;
    }

    /// True when the pod will not use its claims any more: it has terminated, or is deleted before
    /// it ran.
    public static boolean isDoneWithClaims(Pod pod) {
        return isTerminated(pod)
                || (pod.metadata().isDeleting() && pod.spec().nodeName().isEmpty());
    }

    /// True when the pod refers to claims.
    public static boolean usesClaims(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty()
                || PodClaimReferences.ofExtendedResources(pod).isPresent();
    }
}
