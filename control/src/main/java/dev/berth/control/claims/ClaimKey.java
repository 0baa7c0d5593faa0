package dev.berth.control.claims;

import dev.berth.model.api.ObjectRef;

/// What may have to be looked at because of claims.
public sealed interface ClaimKey {

    record OfClaim(ObjectRef ref) implements ClaimKey {}

    record OfPod(ObjectRef ref) implements ClaimKey {}

    record OfGroup(ObjectRef ref) implements ClaimKey {}
}
