package dev.berth.model.api.pod;

import dev.berth.model.api.meta.Condition;
import java.util.List;
import java.util.Optional;

/// Status of a pod.
public record PodStatus(
        PodPhase phase,
        List<Condition> conditions,
        String nominatedNodeName,
        List<PodResourceClaimStatus> resourceClaimStatuses,
        Optional<ExtendedResourceClaimStatus> extendedResourceClaimStatus,
        List<NodeAllocatableClaimStatus> nodeAllocatableClaimStatuses) {

    public static final PodStatus EMPTY =
            new PodStatus(
                    PodPhase.Known.UNSET, List.of(), "", List.of(), Optional.empty(), List.of());

    public PodStatus {
        conditions = List.copyOf(conditions);
        resourceClaimStatuses = List.copyOf(resourceClaimStatuses);
        nodeAllocatableClaimStatuses = List.copyOf(nodeAllocatableClaimStatuses);
    }

    /// The status of the same pod before it is bound. Claims that were created for it are kept.
    public PodStatus unbound() {
        return new PodStatus(
                PodPhase.Known.PENDING,
                List.of(),
                "",
                resourceClaimStatuses,
                Optional.empty(),
                List.of());
    }

    public PodStatus withNodeAllocatable(List<NodeAllocatableClaimStatus> statuses) {
        return new PodStatus(
                phase,
                conditions,
                nominatedNodeName,
                resourceClaimStatuses,
                extendedResourceClaimStatus,
                statuses);
    }
}
