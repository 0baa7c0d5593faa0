package dev.berth.core.place;

import dev.berth.model.api.AllocationResult;
import dev.berth.model.api.NodeAllocatableClaimStatus;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Map;

/// What a node means for a pod.
public sealed interface NodeFit {

    String node();

    /// The pod can run there.
    ///
    /// @param given what each claim gets that has nothing yet: those of the pod in its order, then
    ///   the one for extended resources
    /// @param volumes what claims to volumes get that have none
    /// @param taken what the pod's devices take of the node's own resources
    record Fits(
            String node,
            List<ClaimAllocation> allocations,
            Map<ObjectRef, String> volumes,
            List<NodeAllocatableClaimStatus> nodeResources)
            implements NodeFit {
        public Fits {
            allocations = List.copyOf(allocations);
            volumes = Map.copyOf(volumes);
            nodeResources = List.copyOf(nodeResources);
        }
    }

    record Rejected(String node, Rejection rejection) implements NodeFit {}

    /// A claim and the devices that it gets.
    record ClaimAllocation(ResourceClaim claim, AllocationResult result) {
        public ObjectRef ref() {
            return claim.ref();
        }
    }
}
