package dev.berth.core.place;

import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Map;

/// A pod that needs a node, with its claims.
///
/// @param allocated claims that have their devices; they say which nodes are possible
/// @param wanted claims that need devices, in the order of the pod
/// @param ofGroup claims that the pod's group uses instead of the pod, and that group
public record PlacementRequest(
        Pod pod,
        List<ResourceClaim> allocated,
        List<ResourceClaim> toAllocate,
        Map<ObjectRef, ConsumerReference> groupClaims) {

    public PlacementRequest {
        allocated = List.copyOf(allocated);
        toAllocate = List.copyOf(toAllocate);
        groupClaims = Map.copyOf(groupClaims);
    }

    /// A pod that uses all its claims itself.
    public PlacementRequest(
            Pod pod, List<ResourceClaim> allocated, List<ResourceClaim> toAllocate) {
        this(pod, allocated, toAllocate, Map.of());
    }

    /// The same as a node sees it that serves the pod in another way.
    public PlacementRequest with(Pod newPod, List<ResourceClaim> newToAllocate) {
        return new PlacementRequest(newPod, allocated, newToAllocate, groupClaims);
    }

    /// For whom a claim of the pod is reserved: a group needs one reservation however many pods it
    /// has.
    public ConsumerReference consumer(ObjectRef claim) {
        var group = groupClaims.get(claim);
        return group == null
                ? ConsumerReference.pod(pod.metadata().name(), pod.metadata().uid())
                : group;
    }

    /// Equal for questions that nodes answer alike, but for the names of claims in messages.
    public PlacementCacheKey cacheKey() {
        return PlacementCacheKey.of(this);
    }
}
