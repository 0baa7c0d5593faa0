package dev.berth.core.explain;

import dev.berth.model.api.meta.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The number of devices that an obstacle rules out. A device counts for its first obstacle.
///
/// @param seen actual values of the devices, and the number of devices with each
public record ObstacleCount(
        Obstacle obstacle, int devices, Map<String, Integer> seen, List<ObjectRef> holders) {
    public ObstacleCount {
        seen = new TreeMap<>(seen);
        holders = List.copyOf(holders);
    }
}
