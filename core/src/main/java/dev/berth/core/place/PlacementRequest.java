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
        List<ResourceClaim> wanted,
        Map<ObjectRef, ConsumerReference> ofGroup) {

    public PlacementRequest {
        allocated = List.copyOf(allocated);
        wanted = List.copyOf(wanted);
        ofGroup = Map.copyOf(ofGroup);
    }

    /// A pod that uses all its claims itself.
    public PlacementRequest(Pod pod, List<ResourceClaim> allocated, List<ResourceClaim> wanted) {
        this(pod, allocated, wanted, Map.of());
    }

    /// The same as a node sees it that serves the pod in another way.
    public PlacementRequest with(Pod newPod, List<ResourceClaim> newWanted) {
        return new PlacementRequest(newPod, allocated, newWanted, ofGroup);
    }

    /// For whom a claim of the pod is reserved: a group needs one reservation however many pods it
    /// has.
    public ConsumerReference user(ObjectRef claim) {
        var group = ofGroup.get(claim);
        return group == null
                ? ConsumerReference.pod(pod.metadata().name(), pod.metadata().uid())
                : group;
    }

    /// Equal for questions that nodes answer alike, but for the names of claims in messages.
    public PlacementCacheKey shape() {
        return PlacementCacheKey.of(this);
    }
}
