package dev.berth.model.api.storage;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;

/// The claim to which a volume is bound or pre-bound (`claimRef`).
///
/// @param uid absent when the volume is pre-bound to any claim of that name
public record VolumeClaimRef(ObjectRef claim, Uid uid) {

    /// True when it is this claim and not an earlier one of the same name.
    public boolean is(PersistentVolumeClaim other) {
        var its = other.metadata().uid();
        return claim.equals(other.ref())
                && (uid.equals(Uid.NONE) || its.equals(Uid.NONE) || uid.equals(its));
    }
}
