package dev.berth.core.schedule;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Event of a binding: the answer to a command, or a change of the cluster or the time.
public sealed interface BindingEvent {

    /// The placement was decided and assumed.
    record Started() implements BindingEvent {}

    /// Another binding has ended its write of a shared claim.
    record OtherWriteEnded() implements BindingEvent {}

    /// Answer to [BindingCommand.WriteClaims].
    record ClaimsWritten(List<BindingWrites.Write> writes) implements BindingEvent {
        public ClaimsWritten {
            writes = List.copyOf(writes);
        }
    }

    /// Answer to [BindingCommand.CreateExtendedClaim].
    record ExtendedClaimWritten(ResourceClaim claim, BindingWrites.Write write)
            implements BindingEvent {}

    /// A write of claims failed, possibly after some of them.
    ///
    /// @param writes the writes before the failure
    /// @param created the claim created for extended resources, if only its allocation failed
    record ClaimWriteFailed(
            List<BindingWrites.Write> writes, Optional<ResourceClaim> created, String message)
            implements BindingEvent {
        public ClaimWriteFailed {
            writes = List.copyOf(writes);
        }
    }

    /// The watch showed a new version of a claim of the pod.
    record ClaimSeen() implements BindingEvent {}

    /// The watch showed the deletion of a claim.
    record ClaimDeleted(ObjectRef claim) implements BindingEvent {}

    /// Answer to [BindingCommand.WriteVolumes].
    ///
    /// @param versions written resource versions by PersistentVolumeClaim
    record VolumesWritten(Map<ObjectRef, Long> versions) implements BindingEvent {
        public VolumesWritten {
            versions = Map.copyOf(versions);
        }
    }

    /// The write of volumes failed.
    record VolumeWriteFailed(String message) implements BindingEvent {}

    /// The watch showed a change of volumes, volume claims or storage classes.
    record VolumesSeen() implements BindingEvent {}

    /// The pod was deleted, or is being deleted.
    record PodDeleted() implements BindingEvent {}

    /// Timeouts may have expired.
    record TimePassed() implements BindingEvent {}

    /// Answer to [BindingCommand.BindPod].
    record PodBound() implements BindingEvent {}

    /// The pod could not be bound.
    record BindFailed(String message) implements BindingEvent {}

    /// Answer to [BindingCommand.RollBack].
    record RolledBack() implements BindingEvent {}

    /// The claims written by the answered command.
    default List<BindingWrites.Write> writtenClaims() {
        return switch (this) {
            case ClaimsWritten(var writes) -> writes;
            case ExtendedClaimWritten(_, var write) -> List.of(write);
            case ClaimWriteFailed(var writes, _, _) -> writes;
            case Started _,
                    OtherWriteEnded _,
                    ClaimSeen _,
                    ClaimDeleted _,
                    VolumesWritten _,
                    VolumeWriteFailed _,
                    VolumesSeen _,
                    PodDeleted _,
                    TimePassed _,
                    PodBound _,
                    BindFailed _,
                    RolledBack _ ->
                    List.of();
        };
    }
}
