package dev.berth.core.place;

import dev.berth.core.snapshot.Placement;
import dev.berth.model.api.claim.ConsumerReference;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ResourceClaimStatus;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /// The request with one more claim to allocate.
    public PlacementRequest with(ResourceClaim claim) {
        var more = new ArrayList<>(toAllocate);
        more.add(claim);
        return new PlacementRequest(pod, allocated, more, groupClaims);
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

    /// The pod and its claims after it is placed on a node where it fits.
    public Placement placement(NodeFit.Fits fits) {
        var newlyAllocated = new ArrayList<ResourceClaim>();
        for (var allocation : fits.allocations()) {
            newlyAllocated.add(
                    allocation
                            .claim()
                            .withStatus(
                                    new ResourceClaimStatus(
                                            Optional.of(allocation.result()),
                                            List.of(consumer(allocation.ref())),
                                            allocation.claim().status().devices())));
        }
        var reserved = allocated.stream().map(claim -> used(claim, consumer(claim.ref()))).toList();
        return new Placement(
                pod, fits.node(), newlyAllocated, reserved, fits.volumes(), fits.nodeResources());
    }

    private static ResourceClaim used(ResourceClaim claim, ConsumerReference user) {
        var status = claim.status();
        if (status.reservedFor().contains(user)) {
            return claim;
        }
        var users = new ArrayList<>(status.reservedFor());
        users.add(user);
        return claim.withStatus(
                new ResourceClaimStatus(status.allocation(), users, status.devices()));
    }
}
