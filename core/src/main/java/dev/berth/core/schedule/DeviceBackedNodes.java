package dev.berth.core.schedule;

import dev.berth.core.place.ClusterInventory;
import dev.berth.core.place.ExtendedResources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which nodes serve which of some resources by devices and not as a device plugin does; remembered
/// until a node changes, since many pods ask for the same.
final class DeviceBackedNodes {

    /// With more it begins anew; pods ask for few combinations.
    private static final int MAX_CACHED = 1_000;

    private final Map<Set<String>, Map<Set<String>, Set<String>>> cache = new HashMap<>();
    private Optional<ClusterInventory> inventory = Optional.empty();

    /// The names of nodes by what of the asked resources is devices there.
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
