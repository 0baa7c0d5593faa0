package dev.berth.core.explain;

import dev.berth.model.api.ExtendedResourceClaimStatus.RequestMapping;
import dev.berth.model.api.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The claim that stands for resources which a pod asks for by name, such as `example.com/gpu`.
///
/// @param mappings which request serves which resource of which container
/// @param offered requests that nodes need not serve since they offer the resource themselves, by
///   name of the node
public record ExtendedResourceDemand(
        ObjectRef claim, List<RequestMapping> mappings, Map<String, Set<String>> offered) {

    public ExtendedResourceDemand {
        mappings = List.copyOf(mappings);
        offered = Map.copyOf(offered);
    }

    /// What a request of the claim serves.
    List<RequestMapping> served(String request) {
        return mappings.stream().filter(one -> one.requestName().equals(request)).toList();
    }

    boolean isOffered(String node, String request) {
        return offered.getOrDefault(node, Set.of()).contains(request);
    }
}
