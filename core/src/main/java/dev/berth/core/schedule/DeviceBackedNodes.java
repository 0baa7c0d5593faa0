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
    private static final int MAX_KNOWN = 1_000;

    private final Map<Set<String>, Map<Set<String>, Set<String>>> known = new HashMap<>();
    private Optional<ClusterInventory> fleet = Optional.empty();

    /// The names of nodes by what of the asked resources is devices there.
    Map<Set<String>, Set<String>> byDevices(Set<String> asked, ClusterInventory now) {
        if (!fleet.filter(now::hasNodesOf).isPresent() || known.size() > MAX_KNOWN) {
            known.clear();
            fleet = Optional.of(now);
        }
        return known.computeIfAbsent(Set.copyOf(asked), names -> grouped(names, now));
    }

    private static Map<Set<String>, Set<String>> grouped(
            Set<String> asked, ClusterInventory fleet) {
        var nodes = new LinkedHashMap<Set<String>, Set<String>>();
        for (var node : fleet.nodes()) {
            nodes.computeIfAbsent(ExtendedResources.asDevices(asked, node), _ -> new HashSet<>())
                    .add(node.name());
        }
        return nodes;
    }
}
