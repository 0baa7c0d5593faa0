package dev.berth.model.api.claim;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import dev.berth.model.api.pod.Pod;

/// A claim for devices with its allocation and reservations in the status.
public record ResourceClaim(ObjectMeta metadata, ResourceClaimSpec spec, ResourceClaimStatus status)
        implements KubernetesObject {

    public ResourceClaim withStatus(ResourceClaimStatus newStatus) {
        return new ResourceClaim(metadata, spec, newStatus);
    }

    /// True when the claim is reserved for the pod or for its group, which is identified by name
    /// only.
    public boolean isReservedFor(Pod pod) {
        for (var user : status.reservedFor()) {
            if (user.isPodGroup()
                    ? pod.spec().podGroupName().filter(user.name()::equals).isPresent()
                    : user.uid().equals(pod.metadata().uid())) {
                return true;
            }
        }
        return false;
    }

    /// True when the claim was created for the pod's group.
    public boolean isOfGroupOf(Pod pod) {
        return metadata.controller()
                .filter(owner -> owner.apiVersion().startsWith("scheduling.k8s.io/"))
                .filter(owner -> owner.kind().equals("PodGroup"))
                .filter(owner -> pod.spec().podGroupName().filter(owner.name()::equals).isPresent())
                .isPresent();
    }
}
