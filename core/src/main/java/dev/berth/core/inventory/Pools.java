package dev.berth.core.inventory;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Immutable index of all pools, by ID and by node. Adding a slice returns a new index and costs as
/// much as rebuilding its pool.
///
/// Node-local pools are found by the name of the node. All other pools are evaluated for each node
/// on demand, so a change to one costs nothing until its view is needed.
public final class Pools {

    /// Taints of DeviceTaintRules, in addition to those that drivers publish.
    @FunctionalInterface
    public interface TaintOverlay {

        TaintOverlay NONE = _ -> List.of();

        List<DeviceTaint> taintsOf(DeviceId device);
    }

    /// A pool and its slices by name, without the overlay.
    private record Entry(PersistentSortedMap<String, SliceTable> published, Pool pool) {}

    private final Pool.Rules rules;
    private final DeviceInterner interner;
    private final PersistentSortedMap<PoolId, Entry> entries;
    private final PersistentSortedMap<String, PoolId> poolsBySlice;
    private final PersistentSortedMap<String, PersistentSortedMap<PoolId, Pool>> local;
    private final PersistentSortedMap<PoolId, Pool> common;

    private Pools(
            Pool.Rules rules,
            DeviceInterner interner,
            PersistentSortedMap<PoolId, Entry> entries,
            PersistentSortedMap<String, PoolId> poolsBySlice,
            PersistentSortedMap<String, PersistentSortedMap<PoolId, Pool>> local,
            PersistentSortedMap<PoolId, Pool> common) {
        this.rules = rules;
        this.interner = interner;
        this.entries = entries;
        this.poolsBySlice = poolsBySlice;
        this.local = local;
        this.common = common;
    }

    /// An index without pools.
    public static Pools none(Pool.Rules rules) {
        return new Pools(
                rules,
                new DeviceInterner(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of());
    }

    /// With all of these slices; each pool is rebuilt once.
    public Pools with(Collection<ResourceSlice> slices, TaintOverlay overlay) {
        var byPool = new TreeMap<PoolId, List<ResourceSlice>>();
        slices.forEach(
                slice -> byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice));
        var next = this;
        for (var slice : slices) {
            next = next.withoutMoved(slice, overlay);
        }
        for (var pool : byPool.entrySet()) {
            var published = next.published(pool.getKey());
            var names = next.poolsBySlice;
            for (var slice : pool.getValue()) {
                var table = SliceTable.of(slice, interner);
                published = published.with(table.name(), table);
                names = names.with(table.name(), table.pool());
            }
            next = next.withEntry(pool.getKey(), published, names, overlay);
        }
        return next;
    }

    /// With a slice added, or replaced by name.
    public Pools with(ResourceSlice slice, TaintOverlay overlay) {
        return with(List.of(slice), overlay);
    }

    /// The pool of a slice is immutable, but a slice that is recreated under the same name may
    /// belong to another pool.
    private Pools withoutMoved(ResourceSlice slice, TaintOverlay overlay) {
        var name = slice.metadata().name();
        return poolsBySlice.find(name).filter(id -> !id.equals(slice.poolId())).isPresent()
                ? without(name, overlay)
                : this;
    }

    /// Without the slice with this name.
    public Pools without(String slice, TaintOverlay overlay) {
        return poolsBySlice
                .find(slice)
                .map(id ->
                        withEntry(
                                id,
                                published(id).without(slice),
                                poolsBySlice.without(slice),
                                overlay))
                .orElse(this);
    }

    /// With a new overlay, applied to the affected pools.
    public Pools withOverlay(TaintOverlay overlay, Predicate<PoolId> isAffected) {
        var affected = new ArrayList<PoolId>();
        entries.forEach((id, _) -> {
            if (isAffected.test(id)) {
                affected.add(id);
            }
        });
        var next = this;
        for (var id : affected) {
            next = next.withEntry(id, next.published(id), next.poolsBySlice, overlay);
        }
        return next;
    }

    private PersistentSortedMap<String, SliceTable> published(PoolId id) {
        return entries.find(id).map(Entry::published).orElse(PersistentSortedMap.of());
    }

    private Pools withEntry(
            PoolId id,
            PersistentSortedMap<String, SliceTable> published,
            PersistentSortedMap<String, PoolId> names,
            TaintOverlay overlay) {
        var before = entries.find(id);
        var gone = before.map(entry -> without(id, entry.pool)).orElse(this);
        if (published.isEmpty()) {
            return new Pools(
                    rules, interner, gone.entries.without(id), names, gone.local, gone.common);
        }
        var tables = new ArrayList<SliceTable>();
        published.forEach((_, table) -> tables.add(table.tainted(overlay::taintsOf, interner)));
        if (before.filter(entry -> entry.pool.slices().equals(tables)).isPresent()) {
            return this;
        }
        var pool = Pool.of(interner.intern(id), tables, rules, interner);
        var all = gone.entries.with(pool.id(), new Entry(published, pool));
        var node = pool.onlyNode();
        return node.isPresent()
                ? new Pools(
                        rules,
                        interner,
                        all,
                        names,
                        gone.local.with(node.get(), gone.localTo(node.get()).with(pool.id(), pool)),
                        gone.common)
                : new Pools(
                        rules, interner, all, names, gone.local, gone.common.with(pool.id(), pool));
    }

    /// Removes a pool from the index by node.
    private Pools without(PoolId id, Pool pool) {
        if (pool.onlyNode().isEmpty()) {
            return new Pools(rules, interner, entries, poolsBySlice, local, common.without(id));
        }
        var node = pool.onlyNode().get();
        var rest = localTo(node).without(id);
        return new Pools(
                rules,
                interner,
                entries,
                poolsBySlice,
                rest.isEmpty() ? local.without(node) : local.with(node, rest),
                common);
    }

    private PersistentSortedMap<PoolId, Pool> localTo(String node) {
        return local.find(node).orElse(PersistentSortedMap.of());
    }

    public Optional<Pool> find(PoolId id) {
        return entries.find(id).map(Entry::pool);
    }

    /// Views of all pools accessible from a node, including unusable ones: node-local pools by ID,
    /// then others by ID.
    public List<PoolView> viewFrom(Node node) {
        var views = new ArrayList<PoolView>();
        localTo(node.name()).forEach((_, pool) -> pool.viewFrom(node).ifPresent(views::add));
        common.forEach((_, pool) -> pool.viewFrom(node).ifPresent(views::add));
        return List.copyOf(views);
    }

    /// Visits the IDs of pools that were added, removed or changed since.
    public void changesSince(Pools before, Consumer<PoolId> visit) {
        entries.changesSince(before.entries, visit);
    }
}
