package dev.berth.model.api.claim;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// Requested amounts of device capacities.
public record CapacityRequirements(Map<String, Quantity> requests) {

    public CapacityRequirements {
        requests = OrderedMap.copyOf(requests);
    }
}
