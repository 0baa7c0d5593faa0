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
            List<Given> given,
            Map<ObjectRef, String> volumes,
            List<NodeAllocatableClaimStatus> taken)
            implements NodeFit {
        public Fits {
            given = List.copyOf(given);
            volumes = Map.copyOf(volumes);
            taken = List.copyOf(taken);
        }
    }

    record Unfit(String node, Rejection reason) implements NodeFit {}

    /// A claim and the devices that it gets.
    record Given(ResourceClaim claim, AllocationResult result) {
        public ObjectRef ref() {
            return claim.ref();
        }
    }
}
