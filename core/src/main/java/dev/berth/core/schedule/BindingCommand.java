package dev.berth.core.schedule;

import dev.berth.core.place.VolumeBindingTask;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.meta.Uid;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.slice.DeviceId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Command of [BindingRules] for the binding of one pod. Commands that write are answered by an
/// event.
public sealed interface BindingCommand {

    /// Write allocations and reservations of claims, one after the other.
    record WriteClaims(List<ClaimTask> tasks) implements BindingCommand {
        public WriteClaims {
            tasks = List.copyOf(tasks);
        }
    }

    /// A write of one claim.
    ///
    /// @param claim the latest known version
    /// @param allocation the allocation to write; empty when only a reservation is added
    record ClaimTask(
            ResourceClaim claim, Optional<AllocationResult> allocation, ConsumerReference user) {
        public ObjectRef ref() {
            return claim.ref();
        }
    }

    /// Create the claim for the pod's extended resources, then write its allocation.
    ///
    /// @param template the claim in the request
    record CreateExtendedClaim(
            ResourceClaim template, AllocationResult allocation, ConsumerReference user)
            implements BindingCommand {}

    /// Continue the bindings that wait to write one of these claims.
    record ResumeWriters(Set<ObjectRef> claims) implements BindingCommand {
        public ResumeWriters {
            claims = Set.copyOf(claims);
        }
    }

    /// Bind volumes, and select the node of volumes to be provisioned.
    record WriteVolumes(List<VolumeBindingTask> tasks) implements BindingCommand {
        public WriteVolumes {
            tasks = List.copyOf(tasks);
        }
    }

    /// Write the pod's status of its devices, then bind it.
    record BindPod(
            String node,
            Optional<ExtendedResourceClaimStatus> extendedClaim,
            List<NodeAllocatableClaimStatus> nodeResources)
            implements BindingCommand {
        public BindPod {
            nodeResources = List.copyOf(nodeResources);
        }
    }

    /// Forget the assumed placement of the pod and the assumed allocations of claims.
    record ForgetAssumptions(Set<ObjectRef> claims) implements BindingCommand {
        public ForgetAssumptions {
            claims = Set.copyOf(claims);
        }
    }

    /// Undo the writes, unless the pod turns out to have a node.
    ///
    /// @param claims in the order of writing
    /// @param created the claim created for extended resources, to be deleted
    /// @param hasNodeResources whether the pod's status has node-allocatable resources to clear
    /// @param isUnconditional whether to undo the writes of a deleted pod, and of a pod whose state
    ///   is unknown: devices belong to other claims
    record RollBack(
            List<ClaimUndo> claims,
            Optional<ResourceClaim> created,
            boolean hasNodeResources,
            boolean isUnconditional)
            implements BindingCommand {
        public RollBack {
            claims = List.copyOf(claims);
        }
    }

    /// Undo of one write of a claim.
    sealed interface ClaimUndo {

        /// Remove allocation and reservations: the devices belong to another claim.
        record Deallocate(BindingWrites.Write write) implements ClaimUndo {}

        /// Remove the reservation; the claim keeps its devices for the next attempt.
        record Unreserve(ObjectRef claim, Uid uid, ConsumerReference user) implements ClaimUndo {}
    }

    /// Record an event of the pod.
    record RecordEvent(String reason, String action, String note) implements BindingCommand {}

    /// Remember devices whose binding conditions failed.
    record ReportFailedDevices(ResourceClaim claim, List<DeviceId> devices)
            implements BindingCommand {
        public ReportFailedDevices {
            devices = List.copyOf(devices);
        }
    }

    /// Remove the bound pod from the queue.
    record ReportBound() implements BindingCommand {}

    /// Return the pod to the queue.
    record ReportFailure(String message) implements BindingCommand {}
}
