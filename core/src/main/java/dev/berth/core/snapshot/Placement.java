package dev.berth.core.snapshot;

import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.NodeAllocatableClaimStatus;
import dev.berth.model.api.pod.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A pod on its node, with its claims and volumes as they are after scheduling. A snapshot can
/// assume it before the API server stores it.
///
/// @param allocated claims that are allocated for the pod, with allocation and reservation
/// @param reserved claims that were allocated before, with the reservation of the pod
/// @param volumes volumes chosen for unbound PersistentVolumeClaims
/// @param nodeResources node-allocatable resources that the pod's devices consume
public record Placement(
        Pod pod,
        String node,
        List<ResourceClaim> allocated,
        List<ResourceClaim> reserved,
        Map<ObjectRef, String> volumes,
        List<NodeAllocatableClaimStatus> nodeResources) {

    public Placement {
        allocated = List.copyOf(allocated);
        reserved = List.copyOf(reserved);
        volumes = Map.copyOf(volumes);
        nodeResources = List.copyOf(nodeResources);
    }

    /// All claims of the pod.
    public List<ResourceClaim> claims() {
        var claims = new ArrayList<>(allocated);
        claims.addAll(reserved);
        return claims;
    }

    /// The pod with the node-allocatable resources of its devices in its status.
    Pod podWithNodeResources() {
        return new Pod(pod.metadata(), pod.spec(), pod.status().withNodeAllocatable(nodeResources));
    }
}
