package dev.berth.core.lifecycle;

import dev.berth.model.api.claim.ResourceClaim;

/// A write to a ResourceClaim.
public sealed interface ClaimCommand {

    ResourceClaim claim();

    /// Updates the status, if the resourceVersion is still current.
    record WriteStatus(ResourceClaim claim) implements ClaimCommand {}

    /// Updates everything but the status.
    record Write(ResourceClaim claim) implements ClaimCommand {}

    /// Deletes the claim.
    record Delete(ResourceClaim claim) implements ClaimCommand {}
}
