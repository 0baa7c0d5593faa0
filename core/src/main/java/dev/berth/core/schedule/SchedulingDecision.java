package dev.berth.core.schedule;

import dev.berth.core.place.NodeFit;
import dev.berth.core.place.PlacementRequest;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is to become of a pod.
public sealed interface SchedulingDecision {

    /// It goes to a node.
    ///
    /// @param extended the claim that stands for its extended resources, still to be made
    record Placed(PlacementRequest request, NodeFit.Fits fits, Optional<ExtendedClaim> extended)
            implements SchedulingDecision {}

    /// A claim that nobody has made yet.
    ///
    /// @param ref by which the question knows it
    record ExtendedClaim(ObjectRef ref, List<RequestMapping> mappings) {
        public ExtendedClaim {
            mappings = List.copyOf(mappings);
        }
    }

    /// It goes nowhere now.
    ///
    /// @param message in the form of Kubernetes
    /// @param causes what to wait for
    /// @param idle claims of the pod that are in its way and could give their devices back
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

    /// It must be completed first.
    record Blocked(String reason) implements SchedulingDecision {}
}
