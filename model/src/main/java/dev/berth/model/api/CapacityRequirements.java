package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// How much of a device's capacities a request needs.
public record CapacityRequirements(Map<String, Quantity> requests) {

    public CapacityRequirements {
        requests = OrderedMap.copyOf(requests);
    }
}
