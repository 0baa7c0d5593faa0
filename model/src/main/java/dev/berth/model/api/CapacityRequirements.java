package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// Requested amounts of device capacities.
public record CapacityRequirements(Map<String, Quantity> requests) {

    public CapacityRequirements {
        requests = OrderedMap.copyOf(requests);
    }
}
