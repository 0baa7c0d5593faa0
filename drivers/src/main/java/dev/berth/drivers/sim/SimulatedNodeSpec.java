package dev.berth.drivers.sim;

import dev.berth.core.publish.DesiredPool;
import java.util.List;
import java.util.Map;

/// What one simulated node is.
///
/// @param capacity quantities as they are spelled
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
