package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// What a device takes from one counter set of its pool while it is allocated.
///
/// Devices that draw on one set can only be allocated together when all of them have a
/// compatibility group in common, or none of them has any.
public record DeviceCounterConsumption(
        String counterSet, Map<String, Quantity> counters, List<String> compatibilityGroups) {

    public DeviceCounterConsumption {
        counters = OrderedMap.copyOf(counters);
        compatibilityGroups = List.copyOf(compatibilityGroups);
    }
}
