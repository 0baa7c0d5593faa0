package dev.berth.core.place;

import dev.berth.core.inventory.Interner;
import dev.berth.core.inventory.NodePool;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.SliceTable;
import dev.berth.model.api.DeviceClass;
import dev.berth.model.api.Node;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What does not change while pods are placed: the nodes, the pools that each of them sees, and the
/// classes of devices.
public final class Fleet {

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, List<NodePool>> seen = new HashMap<>();
    private final Map<String, DeviceClass> classes = new LinkedHashMap<>();

    private Fleet() {}

    /// Finds out which node sees which pool.
    ///
    /// @param slices with the taints of all rules laid over them
    public static Fleet of(
            Collection<Node> nodes,
            Collection<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            Pool.Rules rules) {
        var fleet = new Fleet();
        nodes.forEach(node -> fleet.nodes.put(node.name(), node));
        classes.forEach(one -> fleet.classes.put(one.metadata().name(), one));
        var everywhere = new ArrayList<Pool>();
        var local = new HashMap<String, List<Pool>>();
        for (var pool : pools(slices, rules)) {
            pool.onlyNode()
                    .map(node -> local.computeIfAbsent(node, _ -> new ArrayList<>()))
                    .orElse(everywhere)
                    .add(pool);
        }
        for (var node : fleet.nodes.values()) {
            var views = new ArrayList<NodePool>();
            local.getOrDefault(node.name(), List.of())
                    .forEach(pool -> pool.seenFrom(node).ifPresent(views::add));
            everywhere.forEach(pool -> pool.seenFrom(node).ifPresent(views::add));
            fleet.seen.put(node.name(), List.copyOf(views));
        }
        return fleet;
    }

    private static List<Pool> pools(Collection<ResourceSlice> slices, Pool.Rules rules) {
        var interner = new Interner();
        var byPool = new LinkedHashMap<PoolId, List<SliceTable>>();
        for (var slice : slices) {
            byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>())
                    .add(SliceTable.of(slice, interner));
        }
        var pools = new ArrayList<Pool>();
        byPool.forEach((id, tables) -> pools.add(Pool.of(id, tables, rules, interner)));
        return pools;
    }

    /// All nodes, by name.
    public List<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    /// The pools that a node sees, usable or not.
    public List<NodePool> pools(String node) {
        return seen.getOrDefault(node, List.of());
    }

    public Map<String, DeviceClass> classes() {
        return classes;
    }
}
