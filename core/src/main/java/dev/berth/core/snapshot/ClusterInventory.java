package dev.berth.core.snapshot;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.inventory.Pools;
import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.core.taint.TaintRules;
import dev.berth.model.api.claim.DeviceClass;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import dev.berth.model.api.taint.DeviceTaintRule;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The nodes, the resource pools that each node can access, the device classes and the taint rules
/// of a cluster, regardless of who holds the devices.
///
/// Immutable: adding an object returns another inventory and costs as much as the objects
/// concerned.
public final class ClusterInventory {

    private final PersistentSortedMap<String, Node> nodes;
    private final Pools pools;
    private final PersistentSortedMap<String, DeviceTaintRule> taintRules;
    private final Map<String, DeviceClass> classes;
    private final ExtendedResources extended;

    private ClusterInventory(
            PersistentSortedMap<String, Node> nodes,
            Pools pools,
            PersistentSortedMap<String, DeviceTaintRule> taintRules,
            Map<String, DeviceClass> classes,
            ExtendedResources extended) {
        this.nodes = nodes;
        this.pools = pools;
        this.taintRules = taintRules;
        this.classes = classes;
        this.extended = extended;
    }

    /// An empty inventory.
    public static ClusterInventory none(Pool.Rules rules) {
        return new ClusterInventory(
                PersistentSortedMap.of(),
                Pools.none(rules),
                PersistentSortedMap.of(),
                Map.of(),
                ExtendedResources.NONE);
    }

    /// Builds an inventory from complete lists.
    ///
    /// @param slices slices to which the taint rules have already been applied
    public static ClusterInventory of(
            Collection<Node> nodes,
            Collection<ResourceSlice> slices,
            Collection<DeviceClass> classes,
            Pool.Rules rules) {
        var byName = new TreeMap<String, Node>();
        nodes.forEach(node -> byName.put(node.name(), node));
        var classesByName = new LinkedHashMap<String, DeviceClass>();
        classes.forEach(one -> classesByName.put(one.metadata().name(), one));
        var pools = Pools.none(rules).with(slices, Pools.TaintOverlay.NONE);
        return new ClusterInventory(
                        PersistentSortedMap.of(byName),
                        pools,
                        PersistentSortedMap.of(),
                        Map.of(),
                        ExtendedResources.NONE)
                .with(classesByName);
    }

    public ClusterInventory with(Node node) {
        return with(nodes.with(node.name(), node));
    }

    public ClusterInventory withoutNode(String name) {
        return with(nodes.without(name));
    }

    private ClusterInventory with(PersistentSortedMap<String, Node> newNodes) {
        return new ClusterInventory(newNodes, pools, taintRules, classes, extended);
    }

    public ClusterInventory with(ResourceSlice slice) {
        return with(pools.with(slice, this::taints));
    }

    /// Adds many slices and rebuilds each pool once.
    public ClusterInventory with(Collection<ResourceSlice> slices) {
        return with(pools.with(slices, this::taints));
    }

    public ClusterInventory withoutSlice(String name) {
        return with(pools.without(name, this::taints));
    }

    private ClusterInventory with(Pools newPools) {
        return new ClusterInventory(nodes, newPools, taintRules, classes, extended);
    }

    private List<DeviceTaint> taints(DeviceId device) {
        return taintRules.isEmpty() ? List.of() : TaintRules.taintsOf(device, taintRules.values());
    }

    /// Adds or replaces a rule. Rebuilds the pools that the old or the new rule selects.
    public ClusterInventory with(DeviceTaintRule rule) {
        return relaid(taintRules.with(rule.metadata().name(), rule), rule.metadata().name());
    }

    public ClusterInventory withoutTaintRule(String name) {
        return relaid(taintRules.without(name), name);
    }

    private ClusterInventory relaid(
            PersistentSortedMap<String, DeviceTaintRule> newRules, String changed) {
        var before = taintRules.find(changed);
        var now = newRules.find(changed);
        var next = new ClusterInventory(nodes, pools, newRules, classes, extended);
        if (before.map(DeviceTaintRule::spec).equals(now.map(DeviceTaintRule::spec))) {
            return next;
        }
        return next.with(
                pools.withOverlay(
                        next::taints,
                        pool ->
                                before.filter(r -> TaintRules.mayApplyTo(r, pool)).isPresent()
                                        || now.filter(r -> TaintRules.mayApplyTo(r, pool))
                                                .isPresent()));
    }

    public ClusterInventory with(DeviceClass deviceClass) {
        var more = new LinkedHashMap<>(classes);
        more.put(deviceClass.metadata().name(), deviceClass);
        return with(more);
    }

    public ClusterInventory withoutClass(String name) {
        var fewer = new LinkedHashMap<>(classes);
        fewer.remove(name);
        return with(fewer);
    }

    private ClusterInventory with(Map<String, DeviceClass> newClasses) {
        var newExtended = ExtendedResources.of(newClasses.values());
        return new ClusterInventory(nodes, pools, taintRules, newClasses, newExtended);
    }

    /// True when both inventories have the same nodes.
    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    public boolean hasNodesOf(ClusterInventory other) {
        return nodes == other.nodes;
    }

    /// True when both inventories have the same nodes and pools.
    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    boolean hasNodesAndPoolsOf(ClusterInventory other) {
        return nodes == other.nodes && pools == other.pools;
    }

    /// All nodes, by name.
    public List<Node> nodes() {
        return nodes.values();
    }

    /// The number of nodes.
    public int size() {
        return nodes.size();
    }

    public Optional<Node> node(String name) {
        return nodes.find(name);
    }

    /// The pools that a node can access, usable or not.
    public List<PoolView> pools(String node) {
        return nodes.find(node).map(this::pools).orElse(List.of());
    }

    /// The pools that a node of this inventory can access, usable or not.
    List<PoolView> pools(Node node) {
        return pools.viewFrom(node);
    }

    public Optional<Pool> pool(PoolId id) {
        return pools.find(id);
    }

    public Map<String, DeviceClass> classes() {
        return classes;
    }

    /// The extended resources that the device classes serve.
    public ExtendedResources extended() {
        return extended;
    }

    /// Visits the nodes that were added, removed or changed since an earlier inventory.
    public void nodeChangesSince(ClusterInventory before, Consumer<String> visit) {
        nodes.changesSince(before.nodes, visit);
    }

    /// Visits the pools that were added, removed or changed since an earlier inventory.
    public void poolChangesSince(ClusterInventory before, Consumer<PoolId> visit) {
        pools.changesSince(before.pools, visit);
    }
}
