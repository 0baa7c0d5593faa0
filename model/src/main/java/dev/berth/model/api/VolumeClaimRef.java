package dev.berth.model.api;

/// The claim that a volume belongs to or is kept for.
///
/// @param uid none when the volume is kept for whatever claim has that name
public record VolumeClaimRef(ObjectRef claim, Uid uid) {

    /// Whether it is this claim and not another that had its name before.
    public boolean is(PersistentVolumeClaim other) {
        var its = other.metadata().uid();
        return claim.equals(other.ref())
                && (uid.equals(Uid.NONE) || its.equals(Uid.NONE) || uid.equals(its));
    }
}
