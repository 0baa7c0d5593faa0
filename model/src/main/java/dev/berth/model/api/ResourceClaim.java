package dev.berth.model.api;

/// A wish for devices and, in its status, what became of it.
public record ResourceClaim(ObjectMeta metadata, ResourceClaimSpec spec, ResourceClaimStatus status)
        implements KubernetesObject {

    public ResourceClaim withStatus(ResourceClaimStatus newStatus) {
        return new ResourceClaim(metadata, spec, newStatus);
    }

    /// Whether a pod may use the claim: it does so itself, or its group does, which is known by its
    /// name alone.
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

    /// Whether the claim was made for a group of pods to which the pod belongs.
    public boolean isOfGroupOf(Pod pod) {
        return metadata.controller()
                .filter(owner -> owner.apiVersion().startsWith("scheduling.k8s.io/"))
                .filter(owner -> owner.kind().equals("PodGroup"))
                .filter(owner -> pod.spec().podGroupName().filter(owner.name()::equals).isPresent())
                .isPresent();
    }
}
