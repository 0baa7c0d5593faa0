package dev.berth.core.lifecycle;

import dev.berth.model.api.ResourceClaim;

/// What has to be done with a claim.
public sealed interface ClaimCommand {

    ResourceClaim claim();

    /// Write the status that it has here; another revision than this one is left alone.
    record WriteStatus(ResourceClaim claim) implements ClaimCommand {}

    /// Write everything but the status.
    record Write(ResourceClaim claim) implements ClaimCommand {}

    /// Delete it.
    record Delete(ResourceClaim claim) implements ClaimCommand {}
}
