package dev.berth.model.api.pod;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// Requests, limits and claims of a container.
public record ResourceRequirements(
        Map<String, Quantity> requests, Map<String, Quantity> limits, List<ContainerClaim> claims) {

    public static final ResourceRequirements EMPTY =
            new ResourceRequirements(Map.of(), Map.of(), List.of());

    public ResourceRequirements {
        requests = OrderedMap.copyOf(requests);
        limits = OrderedMap.copyOf(limits);
        claims = List.copyOf(claims);
    }
}
