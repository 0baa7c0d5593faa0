package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.pod.ExtendedResourceClaimStatus.RequestMapping;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The claim for the extended resources that a pod requests, such as `example.com/gpu`.
///
/// @param mappings the requests of the claim with the container resources that they serve
/// @param offered requests that need no devices since the node itself offers the resource, by node
///   name
public record ExtendedResourceDemand(
        ObjectRef claim, List<RequestMapping> mappings, Map<String, Set<String>> offered) {

    public ExtendedResourceDemand {
        mappings = List.copyOf(mappings);
        offered = Map.copyOf(offered);
    }

    /// The container resources that a request of the claim serves.
    List<RequestMapping> served(String request) {
        return mappings.stream().filter(one -> one.requestName().equals(request)).toList();
    }

    boolean isOffered(String node, String request) {
        return offered.getOrDefault(node, Set.of()).contains(request);
    }
}
