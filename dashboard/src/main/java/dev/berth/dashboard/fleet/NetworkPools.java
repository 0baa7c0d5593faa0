package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Devices that more than one node can access, by the nodes that can access them.
final class NetworkPools {

    /// Devices of one pool that the same nodes can access.
    record NetworkPool(
            PoolId pool, Set<String> nodes, boolean isForAllNodes, DeviceSection section) {
        NetworkPool {
            nodes = Set.copyOf(nodes);
        }
    }

    private final List<NetworkPool> pools = new ArrayList<>();
    private final Map<String, List<DeviceSection>> singles = new HashMap<>();

    /// Finds the pools whose slices do not name one node.
    NetworkPools(ClusterInventory inventory) {
        var views = new TreeMap<PoolId, Map<PoolView, List<Node>>>();
        var local = new HashSet<PoolId>();
        for (var node : inventory.nodes()) {
            for (var view : inventory.pools(node.name())) {
                if (local.contains(view.id()) || isLocal(inventory, view.id())) {
                    local.add(view.id());
                } else {
                    views.computeIfAbsent(view.id(), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(view, _ -> new ArrayList<>())
                            .add(node);
                }
            }
        }
        views.forEach((id, byView) -> add(id, byView, inventory.size()));
    }

    static boolean isLocal(ClusterInventory inventory, PoolId id) {
        return inventory.pool(id).flatMap(Pool::onlyNode).isPresent();
    }

    private void add(PoolId id, Map<PoolView, List<Node>> byView, int nodes) {
        var reach = new LinkedHashMap<DeviceId, Set<String>>();
        var places = new HashMap<DeviceId, Map.Entry<PoolView, Integer>>();
        byView.forEach((view, seenBy) -> {
            for (var row = 0; row < view.size(); row++) {
                for (var node : seenBy) {
                    if (isReached(view, row, node)) {
                        reach.computeIfAbsent(view.device(row), _ -> new LinkedHashSet<>())
                                .add(node.name());
                        places.putIfAbsent(view.device(row), Map.entry(view, row));
                    }
                }
            }
        });
        var groups = new LinkedHashMap<Set<String>, Map<PoolView, List<Integer>>>();
        reach.forEach((device, names) -> {
            var place = places.get(device);
            if (place != null) {
                groups.computeIfAbsent(names, _ -> new LinkedHashMap<>())
                        .computeIfAbsent(place.getKey(), _ -> new ArrayList<>())
                        .add(place.getValue());
            }
        });
        groups.forEach((names, rows) ->
                rows.forEach((view, numbers) -> {
                    var section = DeviceSection.of(view, numbers);
                    if (names.size() == 1) {
                        singles.computeIfAbsent(names.iterator().next(), _ -> new ArrayList<>())
                                .add(section);
                    } else {
                        pools.add(new NetworkPool(id, names, names.size() == nodes, section));
                    }
                }));
    }

    private static boolean isReached(PoolView view, int row, Node node) {
        return !(view.scope(row) instanceof SliceScope.PerDevice)
                || Pool.reaches(view.traits(row).scope(), node);
    }

    List<NetworkPool> pools() {
        return List.copyOf(pools);
    }

    /// Devices of shared pools that only this node can access.
    List<DeviceSection> ofNode(String node) {
        return List.copyOf(singles.getOrDefault(node, List.of()));
    }
}
