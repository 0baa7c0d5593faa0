package dev.berth.core.schedule;

import dev.berth.core.place.Question;
import dev.berth.core.place.Verdict;
import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is to become of a pod.
public sealed interface Decision {

    /// It goes to a node.
    ///
    /// @param extended the claim that stands for its extended resources, still to be made
    record Placed(Question question, Verdict.Fits fits, Optional<Extended> extended)
            implements Decision {}

    /// A claim that nobody has made yet.
    ///
    /// @param ref by which the question knows it
    record Extended(ObjectRef ref, List<RequestMapping> mappings) {
        public Extended {
            mappings = List.copyOf(mappings);
        }
    }

    /// It goes nowhere now.
    ///
    /// @param message in the form of Kubernetes
    /// @param causes what to wait for
    /// @param idle claims of the pod that are in its way and could give their devices back
    record Unplaced(Question question, String message, Set<Cause> causes, List<ResourceClaim> idle)
            implements Decision {
        public Unplaced {
            causes = Set.copyOf(causes);
            idle = List.copyOf(idle);
        }
    }

    /// It must be completed first.
    record Blocked(String reason) implements Decision {}
}
