package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import java.util.List;
import java.util.Map;

/// Specification of one simulated node: labels, capacity and device pools.
///
/// @param capacity resource quantities in their original notation
public record SimulatedNodeSpec(
        String name,
        String profile,
        Map<String, String> labels,
        Map<String, String> capacity,
        List<DesiredPool> pools) {

    public SimulatedNodeSpec {
        labels = Map.copyOf(labels);
        capacity = Map.copyOf(capacity);
        pools = List.copyOf(pools);
    }
}
