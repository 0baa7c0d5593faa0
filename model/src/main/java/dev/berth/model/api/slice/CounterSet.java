package dev.berth.model.api.slice;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.Map;

/// Shared counters that the devices of a pool consume, for example the memory slices of one GPU.
public record CounterSet(String name, Map<String, Quantity> counters) {

    public CounterSet {
        counters = OrderedMap.copyOf(counters);
    }
}
