package dev.berth.core.place;

import dev.berth.model.api.ConsumerReference;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.Pod;
import dev.berth.model.api.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A pod to be scheduled, with its claims.
///
/// @param allocated claims with an allocation; they restrict the nodes
/// @param toAllocate claims without an allocation, in the order of the pod
/// @param groupClaims claims that are reserved for the pod's group instead of the pod, with that
///   group
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

    /// A request whose claims are all reserved for the pod itself.
    public PlacementRequest(
            Pod pod, List<ResourceClaim> allocated, List<ResourceClaim> toAllocate) {
        this(pod, allocated, toAllocate, Map.of());
    }

    /// The same request with another pod and other claims, for nodes that serve extended resources
    /// differently.
    public PlacementRequest with(Pod newPod, List<ResourceClaim> newToAllocate) {
        return new PlacementRequest(newPod, allocated, newToAllocate, groupClaims);
    }

    /// All claims, allocated ones first.
    public List<ResourceClaim> claims() {
        return Stream.concat(allocated.stream(), toAllocate.stream()).toList();
    }

    /// The consumer for which a claim is reserved. A group needs one reservation for all its pods.
    public ConsumerReference consumer(ObjectRef claim) {
        var group = groupClaims.get(claim);
        return group == null
                ? ConsumerReference.pod(pod.metadata().name(), pod.metadata().uid())
                : group;
    }

    /// Requests with equal keys have equal results on every node, except for claim names in
    /// messages.
    public PlacementCacheKey cacheKey() {
        return PlacementCacheKey.of(this);
    }
}
