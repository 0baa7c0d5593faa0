package dev.berth.model.api;

/// A wish for devices and, in its status, what became of it.
public record ResourceClaim(ObjectMeta metadata, ResourceClaimSpec spec, ResourceClaimStatus status)
        implements KubernetesObject {

    public ResourceClaim withStatus(ResourceClaimStatus newStatus) {
        return new ResourceClaim(metadata, spec, newStatus);
    }
}
