package dev.berth.core.snapshot;

import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Summed resource requests and host ports of the pods on a node.
///
/// @param requested summed requests by resource
/// @param nonZeroRequested the same with defaults for containers without CPU or memory requests,
///   for scoring
public record NodeUsage(
        Map<String, Quantity> requested,
        Map<String, Quantity> nonZeroRequested,
        Set<HostPort> ports) {

    public static final NodeUsage NONE = new NodeUsage(Map.of(), Map.of(), Set.of());

    public NodeUsage {
        // Pods choose the names of resources: in a `Map.copyOf` colliding names cost a linear
        // search.
        requested = Collections.unmodifiableMap(new HashMap<>(requested));
        nonZeroRequested = Collections.unmodifiableMap(new HashMap<>(nonZeroRequested));
        ports = Set.copyOf(ports);
    }

    public NodeUsage with(Pod pod) {
        var sums = new HashMap<>(requested);
        var deviceResources = pod.status().nodeAllocatableClaimStatuses();
        PodResourceRequests.add(sums, PodResourceRequests.of(pod, deviceResources));
        var nonZeroSums = new HashMap<>(nonZeroRequested);
        PodResourceRequests.add(nonZeroSums, PodResourceRequests.nonZero(pod, deviceResources));
        var allPorts = new HashSet<>(ports);
        allPorts.addAll(PodResourceRequests.ports(pod));
        return new NodeUsage(sums, nonZeroSums, allPorts);
    }
}
