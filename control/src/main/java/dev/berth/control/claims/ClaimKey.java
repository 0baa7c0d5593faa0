package dev.berth.control.claims;

import dev.berth.model.api.meta.ObjectRef;

/// A key of the ResourceClaim controller.
public sealed interface ClaimKey {

    record OfClaim(ObjectRef ref) implements ClaimKey {}

    record OfPod(ObjectRef ref) implements ClaimKey {}

    record OfGroup(ObjectRef ref) implements ClaimKey {}
}
