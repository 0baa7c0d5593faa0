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

/// The fields of a request that determine which nodes fit and their resource scores. Pods of one
/// template have equal keys.
///
/// @param nonZeroRequests the pod's requests as used for scoring
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

    /// All containers if some may request extended resources: the claim for these depends on which
    /// container requests what.
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

    /// True when device classes may serve a resource that the pod requests.
    public boolean mayUseExtendedResources() {
        return !extendedResourceContainers.isEmpty();
    }
}
