package dev.berth.core.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.core.snapshot.ExtendedResourceClaim;
import dev.berth.core.snapshot.Placement;
import dev.berth.model.api.claim.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Decision about a pod.
public sealed interface SchedulingDecision {

    /// The pod is placed on a node.
    ///
    /// @param request with the claim for extended resources as the last one to allocate, if any
    record Placed(PlacementRequest request, NodeFit.Fits fits) implements SchedulingDecision {

        /// The claim for the pod's extended resources, to be created.
        public Optional<ExtendedResourceClaim> extended() {
            return fits.extended();
        }

        /// The pod and its claims as they are once the decision is carried out.
        public Placement placement() {
            return request.placement(fits);
        }
    }

    /// The pod fits on no node at present.
    ///
    /// @param message in the format of kube-scheduler
    /// @param requeueOn the cluster events after which another attempt is worthwhile
    /// @param idle claims of the pod that block it and can be deallocated
    record Unschedulable(
            PlacementRequest request,
            String message,
            Set<ClusterEvent> requeueOn,
            List<ResourceClaim> idle)
            implements SchedulingDecision {
        public Unschedulable {
            requeueOn = Set.copyOf(requeueOn);
            idle = List.copyOf(idle);
        }
    }

    /// The pod or its claims are incomplete, regardless of nodes.
    record Blocked(String reason) implements SchedulingDecision {}
}
