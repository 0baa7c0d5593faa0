package dev.berth.core.schedule;

import dev.berth.core.place.VolumeBindingTask;
import dev.berth.model.api.meta.ObjectRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Stage of a pod between the decision about its placement and the end of its binding.
public sealed interface BindingStage {

    /// Nothing is written yet. A claim that several pods use is written by one binding at a time,
    /// so that no write conflicts with another of this scheduler.
    record AwaitingWrite() implements BindingStage {}

    /// The claims of the pod are being written.
    ///
    /// @param claims the claims of the write in progress
    /// @param writes earlier writes of other bindings
    record WritingClaims(Set<ObjectRef> claims, BindingWrites writes) implements BindingStage {
        public WritingClaims {
            claims = Set.copyOf(claims);
        }
    }

    /// The claim for extended resources is being created and allocated.
    record CreatingExtendedClaim(BindingWrites writes) implements BindingStage {}

    /// The pod was deleted during a write of claims, which is undone when it ends.
    ///
    /// @param claims the claims of the write in progress
    record CancelledWrite(Set<ObjectRef> claims, BindingWrites writes) implements BindingStage {
        public CancelledWrite {
            claims = Set.copyOf(claims);
        }
    }

    /// A stage after the claims are written, without a write that could not be abandoned.
    sealed interface Waiting extends BindingStage {

        BindingWrites writes();

        /// The time at which the claims were written.
        Instant since();
    }

    /// The watch has not shown all writes yet.
    record AwaitingWatch(BindingWrites writes, Instant since) implements Waiting {}

    /// All writes are seen; binding conditions of devices are not true yet.
    record AwaitingBindingConditions(BindingWrites writes, Instant since) implements Waiting {}

    /// Volumes are being bound to claims, or nodes selected for volumes to be provisioned.
    record WritingVolumes(BindingWrites writes, Instant since, PendingVolumes volumes)
            implements Waiting {}

    /// The volumes are not provisioned and bound yet.
    ///
    /// @param versions written resource versions by PersistentVolumeClaim: of bound volumes and of
    ///   claims to be provisioned
    record AwaitingVolumes(
            BindingWrites writes,
            Instant since,
            PendingVolumes volumes,
            Map<ObjectRef, Long> versions)
            implements Waiting {
        public AwaitingVolumes {
            versions = Map.copyOf(versions);
        }
    }

    /// The volumes of a pod that are not bound.
    ///
    /// @param since the start of the write
    record PendingVolumes(List<VolumeBindingTask> tasks, Instant since) {
        public PendingVolumes {
            tasks = List.copyOf(tasks);
        }
    }

    /// The pod is being bound to its node.
    record Binding(BindingWrites writes) implements BindingStage {}

    /// The assumed placement is forgotten, and the writes are being undone.
    ///
    /// @param message why the pod is not bound
    record Undoing(String message) implements BindingStage {}

    /// The pod has its node. Final.
    record Bound() implements BindingStage {}

    /// The pod is not bound, and the writes are undone. Final.
    record Failed(String message) implements BindingStage {}

    default boolean isFinal() {
        return this instanceof Bound || this instanceof Failed;
    }

    /// True while volumes are written or provisioned, which may take minutes.
    default boolean isAwaitingVolumes() {
        return this instanceof WritingVolumes || this instanceof AwaitingVolumes;
    }

    /// True while the binding writes a claim.
    default boolean isWriting(ObjectRef claim) {
        return switch (this) {
            case WritingClaims(var claims, _) -> claims.contains(claim);
            case CancelledWrite(var claims, _) -> claims.contains(claim);
            case AwaitingWrite _,
                    CreatingExtendedClaim _,
                    Waiting _,
                    Binding _,
                    Undoing _,
                    Bound _,
                    Failed _ ->
                    false;
        };
    }
}
