package dev.berth.model.api.slice;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// Counters of one set that an allocated device consumes.
///
/// Devices that consume one set can be allocated together only if all have a compatibility group in
/// common, or none has any.
public record DeviceCounterConsumption(
        String counterSet, Map<String, Quantity> counters, List<String> compatibilityGroups) {

    public DeviceCounterConsumption {
        counters = OrderedMap.copyOf(counters);
        compatibilityGroups = List.copyOf(compatibilityGroups);
    }
}
