package dev.berth.core.explain;

import dev.berth.model.api.ObjectRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// How many devices an obstacle takes away. A device is counted under the first that it meets.
///
/// @param seen what the devices have instead, and how many of them
public record ObstacleCount(
        Obstacle obstacle, int devices, Map<String, Integer> seen, List<ObjectRef> holders) {
    public ObstacleCount {
        seen = new TreeMap<>(seen);
        holders = List.copyOf(holders);
    }
}
