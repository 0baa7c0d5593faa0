package dev.berth.core.place;

import dev.berth.model.api.Affinity;
import dev.berth.model.api.Container;
import dev.berth.model.api.PodSpec;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ResourceClaimSpec;
import dev.berth.model.api.Toleration;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// All of a question that decides which nodes fit, and how much room each of them has: pods of one
/// template have equal shapes.
///
/// @param assumed what scoring takes the pod's requests for
public record PlacementCacheKey(
        String nodeName,
        Map<String, String> nodeSelector,
        Optional<Affinity> affinity,
        List<Toleration> tolerations,
        Map<String, Quantity> requests,
        Map<String, Quantity> nonZeroRequests,
        List<Container> extendedResourceContainers,
        Set<HostPort> ports,
        List<ResourceClaim> allocated,
        List<ResourceClaimSpec> toAllocate) {

    static PlacementCacheKey of(PlacementRequest request) {
        var spec = request.pod().spec();
        return new PlacementCacheKey(
                spec.nodeName(),
                spec.nodeSelector(),
                spec.affinity(),
                spec.tolerations(),
                PodResourceRequests.of(request.pod()),
                PodResourceRequests.nonZero(request.pod(), List.of()),
                extendedResourceContainers(spec),
                new HashSet<>(PodResourceRequests.ports(request.pod())),
                request.allocated(),
                request.toAllocate().stream().map(ResourceClaim::spec).toList());
    }

    /// All containers when some of them may ask for devices by the name of a resource: then it
    /// matters which container asks for what.
    private static List<Container> extendedResourceContainers(PodSpec spec) {
        var all = new ArrayList<Container>(spec.initContainers());
        all.addAll(spec.containers());
        var asks =
                all.stream()
                        .flatMap(one ->
                                PodResourceRequests.withLimits(one.resources()).keySet().stream())
                        .anyMatch(name -> name.contains("/"));
        return asks ? all : List.of();
    }

    /// True when classes of devices may serve a resource that the pod asks for.
    public boolean mayUseExtendedResources() {
        return !extendedResourceContainers.isEmpty();
    }
}
