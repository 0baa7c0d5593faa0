package dev.berth.core.inventory;

import dev.berth.model.api.DeviceScope;
import dev.berth.model.api.Node;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.SliceScope;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All slices that a driver has published for one pool, of whatever generation.
///
/// Which slices count depends on the node that looks: it takes the newest generation among those
/// that it can reach, and nothing while that generation is incomplete in the cluster.
public final class Pool {

    /// The features that decide which slices count at all.
    public record Rules(boolean partitionableDevices, boolean compatibilityGroups) {}

    private final PoolId id;
    private final List<SliceTable> slices;
    private final Rules rules;
    private final DeviceInterner interner;
    private final Optional<String> onlyNode;
    private final boolean isForAll;
    private final boolean drawsOnNodes;
    // Guarded by itself, as is the view of the whole cluster.
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
                        .allMatch(s -> counts(s) && s.scope() instanceof NodeScope.AllNodes);
        this.drawsOnNodes = this.slices.stream().anyMatch(SliceTable::drawsOnNodes);
    }

    public static Pool of(
            PoolId id, List<SliceTable> slices, Rules rules, DeviceInterner interner) {
        return new Pool(id, slices, rules, interner);
    }

    /// All pools of these slices, in the order in which they are first spoken of.
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

    /// True when some device takes of the node's own resources.
    public boolean drawsOnNodes() {
        return drawsOnNodes;
    }

    /// The one node that can see anything of this pool; empty when that takes a look at the node.
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

    /// The pool as a node sees it; empty when it sees nothing of it or only what is obsolete.
    public Optional<PoolView> seenFrom(Node node) {
        var reached = new BitSet();
        if (isForAll) {
            reached.set(0, slices.size());
        }
        for (var i = 0; i < slices.size() && !isForAll; i++) {
            var slice = slices.get(i);
            if (!counts(slice)) {
                continue;
            }
            var fault = fault(slice, node);
            if (fault.isPresent()) {
                return Optional.of(PoolView.malformed(id, slice.generation(), fault.get()));
            }
            reached.set(i, isReached(slice, node));
        }
        // What a node sees is decided by which slices it reaches, so few views serve many nodes.
        synchronized (views) {
            return views.computeIfAbsent(reached, this::view);
        }
    }

    /// The pool without regard to nodes, when all its slices are of one generation, complete, and
    /// agree with each other. Empty otherwise: then nodes may see different devices of it.
    public Optional<PoolView> seenFromCluster() {
        synchronized (views) {
            if (!hasClusterView) {
                clusterView = agreedView();
                hasClusterView = true;
            }
            return clusterView;
        }
    }

    private Optional<PoolView> agreedView() {
        var generation = slices.getFirst().generation();
        for (var slice : slices) {
            if (!counts(slice)
                    || slice.generation() != generation
                    || slice.poolSliceCount() != slices.size()) {
                return Optional.empty();
            }
        }
        return Optional.of(pool(generation, slices, List.of())).filter(PoolView::isUsable);
    }

    private boolean counts(SliceTable slice) {
        if (!rules.partitionableDevices
                && (slice.scope() instanceof SliceScope.PerDevice
                        || !slice.counterSets().isEmpty())) {
            return false;
        }
        return rules.compatibilityGroups || !slice.declaresGroups();
    }

    /// What is wrong with the first selector that would have to be asked about a node.
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

    /// What is wrong with the selector of a scope, if it has one.
    public static Optional<String> fault(DeviceScope scope) {
        return scope instanceof NodeScope.MatchingNodes(var selector)
                ? NodeSelectorMatcher.fault(selector)
                : Optional.empty();
    }

    private static boolean isReached(SliceTable slice, Node node) {
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

    /// Whether a device that has a scope of its own is within reach of a node.
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

    private Optional<PoolView> view(BitSet reachedBits) {
        var newest = Long.MIN_VALUE;
        for (var i = reachedBits.nextSetBit(0); i >= 0; i = reachedBits.nextSetBit(i + 1)) {
            newest = Math.max(newest, slices.get(i).generation());
        }
        var reached = new ArrayList<SliceTable>();
        for (var i = reachedBits.nextSetBit(0); i >= 0; i = reachedBits.nextSetBit(i + 1)) {
            if (slices.get(i).generation() == newest) {
                reached.add(slices.get(i));
            }
        }
        return reached.isEmpty() ? Optional.empty() : assembled(newest, reached);
    }

    private Optional<PoolView> assembled(long generation, List<SliceTable> reached) {
        var expected = reached.getFirst().poolSliceCount();
        if (reached.size() == expected) {
            return Optional.of(pool(generation, reached, List.of()));
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
        all.removeAll(reached);
        return Optional.of(pool(generation, reached, all));
    }

    private PoolView pool(long generation, List<SliceTable> reached, List<SliceTable> others) {
        var counterSlices = new ArrayList<SliceTable>();
        reached.stream().filter(Pool::hasCounters).forEach(counterSlices::add);
        others.stream().filter(Pool::hasCounters).forEach(counterSlices::add);
        counterSlices.sort(Comparator.comparing(SliceTable::name));
        return PoolView.of(
                id,
                generation,
                deviceSlices(reached),
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
