package dev.berth.core.schedule;

import dev.berth.core.place.ClusterInventory;
import dev.berth.core.place.ExtendedResources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Cache of the nodes on which devices, not a device plugin, serve extended resources. Valid until
/// a node changes; many pods request the same resources.
final class DeviceBackedNodes {

    /// The cache is cleared when it exceeds this size; pods request few combinations.
    private static final int MAX_CACHED = 1_000;

    private final Map<Set<String>, Map<Set<String>, Set<String>>> cache = new HashMap<>();
    private Optional<ClusterInventory> inventory = Optional.empty();

    /// Node names, grouped by the requested resources that devices serve there.
    Map<Set<String>, Set<String>> byDeviceBackedResources(
            Set<String> resources, ClusterInventory now) {
        if (!inventory.filter(now::hasNodesOf).isPresent() || cache.size() > MAX_CACHED) {
            cache.clear();
            inventory = Optional.of(now);
        }
        return cache.computeIfAbsent(Set.copyOf(resources), names -> grouped(names, now));
    }

    private static Map<Set<String>, Set<String>> grouped(
            Set<String> resources, ClusterInventory inventory) {
        var nodes = new LinkedHashMap<Set<String>, Set<String>>();
        for (var node : inventory.nodes()) {
            nodes.computeIfAbsent(
                            ExtendedResources.deviceBacked(resources, node), _ -> new HashSet<>())
                    .add(node.name());
        }
        return nodes;
    }
}
