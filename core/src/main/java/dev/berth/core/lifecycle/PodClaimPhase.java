package dev.berth.core.lifecycle;

import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.PodClaimSource;
import dev.berth.model.api.PodPhase;
import dev.berth.model.api.PodResourceClaimStatus;
import java.util.ArrayList;
import java.util.List;

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
                || pod.status().extendedResourceClaimStatus().isPresent();
    }

    /// All claims that a pod refers to, as far as their names are known, including those of
    /// extended resources.
    public static List<ObjectRef> claims(Pod pod) {
        var claims = new ArrayList<ObjectRef>();
        var namespace = pod.metadata().namespace();
        for (var entry : pod.spec().resourceClaims()) {
            switch (entry.source()) {
                case PodClaimSource.ClaimName(var name) ->
                        claims.add(new ObjectRef(namespace, name));
                case PodClaimSource.TemplateName _ ->
                        ClaimOwner.of(pod)
                                .status(entry.name())
                                .flatMap(PodResourceClaimStatus::resourceClaimName)
                                .ifPresent(name -> claims.add(new ObjectRef(namespace, name)));
                case PodClaimSource.Unrecognised _ -> {}
            }
        }
        pod.status()
                .extendedResourceClaimStatus()
                .ifPresent(
                        status -> claims.add(new ObjectRef(namespace, status.resourceClaimName())));
        return claims;
    }
}
