package dev.berth.core.place;

import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Result of evaluating a pod on one node.
public sealed interface NodeFit {

    String node();

    /// The pod fits.
    ///
    /// @param allocations allocations of claims without devices: those of the pod in its order,
    ///   then the claim for extended resources
    /// @param volumes volumes chosen for unbound PersistentVolumeClaims
    /// @param nodeResources node-allocatable resources that the pod's devices consume
    /// @param extended the claim for extended resources, if devices of this node serve some
    record Fits(
            String node,
            List<ClaimAllocation> allocations,
            Map<ObjectRef, String> volumes,
            List<NodeAllocatableClaimStatus> nodeResources,
            Optional<ExtendedResourceClaim> extended)
            implements NodeFit {
        public Fits {
            allocations = List.copyOf(allocations);
            volumes = Map.copyOf(volumes);
            nodeResources = List.copyOf(nodeResources);
        }
    }

    /// A filter or device allocation rejects the node.
    record Rejected(String node, Rejection rejection) implements NodeFit {}

    /// A claim and its computed allocation.
    record ClaimAllocation(ResourceClaim claim, AllocationResult result) {
        public ObjectRef ref() {
            return claim.ref();
        }
    }
}
