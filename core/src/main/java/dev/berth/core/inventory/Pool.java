package dev.berth.core.inventory;

import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All ResourceSlices of one pool of a driver, of all generations.
///
/// The view of a pool depends on the node: it contains the newest generation among the slices
/// accessible from the node, and no devices while that generation is incomplete in the cluster.
public final class Pool {

    /// The features that decide which slices are considered.
    public record Rules(boolean partitionableDevices, boolean compatibilityGroups) {}

    private final PoolId id;
    private final List<SliceTable> slices;
    private final Rules rules;
    private final DeviceInterner interner;
    private final Optional<String> onlyNode;
    private final boolean isForAll;
    private final boolean usesNodeResources;
    // Guarded by itself; also guards the cluster view.
    private final Map<BitSet, Optional<PoolView>> views = new HashMap<>();
    private Optional<PoolView> clusterView = Optional.empty();
    private boolean hasClusterView;

    private Pool(PoolId id, List<SliceTable> slices, Rules rules, DeviceInterner interner) {
        this.id = id;
        this.slices = List.copyOf(slices);
        this.rules = rules;
        this.interner = interner;
        this.onlyNode = onlyNode(this.slices);
        this.isForAll =
                this.slices.stream()
                        .allMatch(s -> isConsidered(s) && s.scope() instanceof NodeScope.AllNodes);
        this.usesNodeResources = this.slices.stream().anyMatch(SliceTable::usesNodeResources);
    }

    public static Pool of(
            PoolId id, List<SliceTable> slices, Rules rules, DeviceInterner interner) {
        return new Pool(id, slices, rules, interner);
    }

    /// All pools of these slices, in the order of their first slices.
    public static List<Pool> all(Collection<ResourceSlice> slices, Rules rules) {
        var interner = new DeviceInterner();
        var byPool = new LinkedHashMap<PoolId, List<SliceTable>>();
        for (var slice : slices) {
            byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>())
                    .add(SliceTable.of(slice, interner));
        }
        var pools = new ArrayList<Pool>();
        byPool.forEach((id, tables) -> pools.add(of(id, tables, rules, interner)));
        return pools;
    }

    public PoolId id() {
        return id;
    }

    public List<SliceTable> slices() {
        return slices;
    }

    /// Whether some device consumes allocatable resources of the node.
    public boolean usesNodeResources() {
        return usesNodeResources;
    }

    /// The only node from which the pool is accessible, if all slices have the same `nodeName`;
    /// else empty.
    public Optional<String> onlyNode() {
        return onlyNode;
    }

    private static Optional<String> onlyNode(List<SliceTable> slices) {
        Optional<String> only = Optional.empty();
        for (var slice : slices) {
            if (!(slice.scope() instanceof NodeScope.OneNode(var node))
                    || only.filter(other -> !other.equals(node)).isPresent()) {
                return Optional.empty();
            }
            only = Optional.of(node);
        }
        return only;
    }

    /// The pool from the view of a node; empty when no slice, or only obsolete ones, are accessible
    /// from it.
    public Optional<PoolView> viewFrom(Node node) {
        var accessible = new BitSet();
        if (isForAll) {
            accessible.set(0, slices.size());
        }
        for (var i = 0; i < slices.size() && !isForAll; i++) {
            var slice = slices.get(i);
            if (!isConsidered(slice)) {
                continue;
            }
            var fault = fault(slice, node);
            if (fault.isPresent()) {
                return Optional.of(PoolView.malformed(id, slice.generation(), fault.get()));
            }
            accessible.set(i, isAccessible(slice, node));
        }
        // The view depends only on the set of accessible slices, so nodes share few views.
        synchronized (views) {
            return views.computeIfAbsent(accessible, this::view);
        }
    }

    /// The pool independent of nodes, if all its slices are of one generation, complete and
    /// consistent. Empty otherwise, because the views of nodes may differ.
    public Optional<PoolView> clusterView() {
        synchronized (views) {
            if (!hasClusterView) {
                clusterView = computeClusterView();
                hasClusterView = true;
            }
            return clusterView;
        }
    }

    private Optional<PoolView> computeClusterView() {
        var generation = slices.getFirst().generation();
        for (var slice : slices) {
            if (!isConsidered(slice)
                    || slice.generation() != generation
                    || slice.poolSliceCount() != slices.size()) {
                return Optional.empty();
            }
        }
        return Optional.of(pool(generation, slices, List.of())).filter(PoolView::isUsable);
    }

    private boolean isConsidered(SliceTable slice) {
        if (!rules.partitionableDevices
                && (slice.scope() instanceof SliceScope.PerDevice
                        || !slice.counterSets().isEmpty())) {
            return false;
        }
        return rules.compatibilityGroups || !slice.declaresGroups();
    }

    /// The error of the first invalid node selector that decides about a node.
    private static Optional<String> fault(SliceTable slice, Node node) {
        return switch (slice.scope()) {
            case NodeScope scope -> fault(scope);
            case SliceScope.PerDevice _ -> faultOfDevice(slice, node);
            case SliceScope.Unrecognised _ -> Optional.empty();
        };
    }

    private static Optional<String> faultOfDevice(SliceTable slice, Node node) {
        for (var row = 0; row < slice.size(); row++) {
            var scope = slice.traits(row).scope();
            var fault = fault(scope);
            if (fault.isPresent() || reaches(scope, node)) {
                return fault;
            }
        }
        return Optional.empty();
    }

    /// The error of the node selector of a scope, if it is invalid.
    public static Optional<String> fault(DeviceScope scope) {
        return scope instanceof NodeScope.MatchingNodes(var selector)
                ? NodeSelectorMatcher.fault(selector)
                : Optional.empty();
    }

    private static boolean isAccessible(SliceTable slice, Node node) {
        return switch (slice.scope()) {
            case NodeScope scope -> reaches(scope, node);
            case SliceScope.PerDevice _ -> anyDeviceReaches(slice, node);
            case SliceScope.Unrecognised _ -> false;
        };
    }

    private static boolean anyDeviceReaches(SliceTable slice, Node node) {
        for (var row = 0; row < slice.size(); row++) {
            if (reaches(slice.traits(row).scope(), node)) {
                return true;
            }
        }
        return false;
    }

    /// Whether a device with its own scope is accessible from a node.
    public static boolean reaches(DeviceScope scope, Node node) {
        return switch (scope) {
            case NodeScope.OneNode(var name) -> name.equals(node.name());
            case NodeScope.MatchingNodes(var selector) ->
                    NodeSelectorMatcher.matches(selector, node);
            case NodeScope.AllNodes _ -> true;
            case DeviceScope.AsSlice _ -> false;
            case DeviceScope.Unrecognised _ -> false;
        };
    }

    private Optional<PoolView> view(BitSet accessibleBits) {
        var newest = Long.MIN_VALUE;
        for (var i = accessibleBits.nextSetBit(0); i >= 0; i = accessibleBits.nextSetBit(i + 1)) {
            newest = Math.max(newest, slices.get(i).generation());
        }
        var accessible = new ArrayList<SliceTable>();
        for (var i = accessibleBits.nextSetBit(0); i >= 0; i = accessibleBits.nextSetBit(i + 1)) {
            if (slices.get(i).generation() == newest) {
                accessible.add(slices.get(i));
            }
        }
        return accessible.isEmpty() ? Optional.empty() : assembled(newest, accessible);
    }

    private Optional<PoolView> assembled(long generation, List<SliceTable> accessible) {
        var expected = accessible.getFirst().poolSliceCount();
        if (accessible.size() == expected) {
            return Optional.of(pool(generation, accessible, List.of()));
        }
        var all = new ArrayList<SliceTable>();
        for (var slice : slices) {
            if (slice.generation() > generation) {
                return Optional.empty();
            }
            var hidden = !rules.compatibilityGroups && slice.declaresGroups();
            if (slice.generation() == generation && !hidden) {
                all.add(slice);
            }
        }
        if (all.size() != expected) {
            return Optional.of(PoolView.incomplete(id, generation, all.size(), expected));
        }
        all.removeAll(accessible);
        return Optional.of(pool(generation, accessible, all));
    }

    private PoolView pool(long generation, List<SliceTable> accessible, List<SliceTable> others) {
        var counterSlices = new ArrayList<SliceTable>();
        accessible.stream().filter(Pool::hasCounters).forEach(counterSlices::add);
        others.stream().filter(Pool::hasCounters).forEach(counterSlices::add);
        counterSlices.sort(Comparator.comparing(SliceTable::name));
        return PoolView.of(
                id,
                generation,
                deviceSlices(accessible),
                deviceSlices(others),
                rules.partitionableDevices ? counterSlices : List.of(),
                rules.partitionableDevices,
                interner);
    }

    private static List<SliceTable> deviceSlices(List<SliceTable> slices) {
        return slices.stream()
                .filter(slice -> !hasCounters(slice))
                .sorted(Comparator.comparing(SliceTable::name))
                .toList();
    }

    private static boolean hasCounters(SliceTable slice) {
        return !slice.counterSets().isEmpty();
    }
}
