package dev.berth.core.place;

import dev.berth.model.api.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What the pods on a node take of it.
///
/// @param requested by resource
/// @param assumed the same, as scoring sees it
record NodeUsage(
        Map<String, Quantity> requested,
        Map<String, Quantity> nonZeroRequested,
        Set<HostPort> ports) {

    static final NodeUsage NONE = new NodeUsage(Map.of(), Map.of(), Set.of());

    NodeUsage {
        // Resources are named by pods: in a map of Map.copyOf, names that collide cost a search
        // through all of them.
        requested = Collections.unmodifiableMap(new HashMap<>(requested));
        nonZeroRequested = Collections.unmodifiableMap(new HashMap<>(nonZeroRequested));
        ports = Set.copyOf(ports);
    }

    NodeUsage with(Pod pod) {
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
