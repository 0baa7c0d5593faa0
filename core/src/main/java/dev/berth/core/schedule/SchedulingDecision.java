package dev.berth.core.schedule;

import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Decision about a pod.
public sealed interface SchedulingDecision {

    /// The pod is placed on a node.
    ///
    /// @param extended the claim for its extended resources, to be created
    record Placed(PlacementRequest request, NodeFit.Fits fits, Optional<ExtendedClaim> extended)
            implements SchedulingDecision {}

    /// A claim for extended resources that is not created yet.
    ///
    /// @param ref its placeholder name in the request
    record ExtendedClaim(ObjectRef ref, List<RequestMapping> mappings) {
        public ExtendedClaim {
            mappings = List.copyOf(mappings);
        }
    }

    /// The pod fits on no node at present.
    ///
    /// @param message in the format of kube-scheduler
    /// @param reasons what the pod waits for
    /// @param idle claims of the pod that block it and can be deallocated
    record Unschedulable(
            PlacementRequest request,
            String message,
            Set<WaitReason> reasons,
            List<ResourceClaim> idle)
            implements SchedulingDecision {
        public Unschedulable {
            reasons = Set.copyOf(reasons);
            idle = List.copyOf(idle);
        }
    }

    /// The pod or its claims are incomplete, regardless of nodes.
    record Blocked(String reason) implements SchedulingDecision {}
}
