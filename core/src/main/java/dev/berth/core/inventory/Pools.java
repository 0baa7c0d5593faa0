package dev.berth.core.inventory;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.DeviceTaint;
import dev.berth.model.api.Node;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// All pools there are, and which node sees which. Never changed: folding a slice in gives others,
/// at the cost of the one pool that it belongs to.
///
/// The pools of one node alone are found by its name. The others are looked at by every node that
/// asks, so that a change of one costs nothing until somebody asks.
public final class Pools {

    /// Taints that administrators put on devices, besides those that drivers publish.
    @FunctionalInterface
    public interface Overlay {

        Overlay NONE = _ -> List.of();

        List<DeviceTaint> on(DeviceId device);
    }

    /// A pool, and the slices of which it was made by name, without the overlay.
    private record Entry(PersistentSortedMap<String, SliceTable> bare, Pool pool) {}

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

    /// No pools yet.
    public static Pools none(Pool.Rules rules) {
        return new Pools(
                rules,
                new DeviceInterner(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of(),
                PersistentSortedMap.of());
    }

    /// With all of these slices, each pool made once.
    public Pools with(Collection<ResourceSlice> slices, Overlay overlay) {
        var byPool = new TreeMap<PoolId, List<ResourceSlice>>();
        slices.forEach(
                slice -> byPool.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice));
        var next = this;
        for (var slice : slices) {
            next = next.withoutMoved(slice, overlay);
        }
        for (var pool : byPool.entrySet()) {
            var bare = next.bare(pool.getKey());
            var names = next.poolsBySlice;
            for (var slice : pool.getValue()) {
                var table = SliceTable.of(slice, interner);
                bare = bare.with(table.name(), table);
                names = names.with(table.name(), table.pool());
            }
            next = next.withEntry(pool.getKey(), bare, names, overlay);
        }
        return next;
    }

    /// With a slice, in place of one of the same name.
    public Pools with(ResourceSlice slice, Overlay overlay) {
        return with(List.of(slice), overlay);
    }

    /// Slices do not change pools, but one that was made anew under an old name may be elsewhere.
    private Pools withoutMoved(ResourceSlice slice, Overlay overlay) {
        var name = slice.metadata().name();
        return poolsBySlice.find(name).filter(id -> !id.equals(slice.poolId())).isPresent()
                ? without(name, overlay)
                : this;
    }

    /// Without the slice of a name.
    public Pools without(String slice, Overlay overlay) {
        return poolsBySlice
                .find(slice)
                .map(id ->
                        withEntry(
                                id, bare(id).without(slice), poolsBySlice.without(slice), overlay))
                .orElse(this);
    }

    /// With another overlay for the pools that it is different for.
    public Pools laidOver(Overlay overlay, Predicate<PoolId> isTouched) {
        var touched = new ArrayList<PoolId>();
        entries.forEach((id, _) -> {
            if (isTouched.test(id)) {
                touched.add(id);
            }
        });
        var next = this;
        for (var id : touched) {
            next = next.withEntry(id, next.bare(id), next.poolsBySlice, overlay);
        }
        return next;
    }

    private PersistentSortedMap<String, SliceTable> bare(PoolId id) {
        return entries.find(id).map(Entry::bare).orElse(PersistentSortedMap.of());
    }

    private Pools withEntry(
            PoolId id,
            PersistentSortedMap<String, SliceTable> bare,
            PersistentSortedMap<String, PoolId> names,
            Overlay overlay) {
        var before = entries.find(id);
        var gone = before.map(entry -> without(id, entry.pool)).orElse(this);
        if (bare.isEmpty()) {
            return new Pools(
                    rules, interner, gone.entries.without(id), names, gone.local, gone.common);
        }
        var tables = new ArrayList<SliceTable>();
        bare.forEach((_, table) -> tables.add(table.tainted(overlay::on, interner)));
        if (before.filter(entry -> entry.pool.slices().equals(tables)).isPresent()) {
            return this;
        }
        var pool = Pool.of(interner.intern(id), tables, rules, interner);
        var all = gone.entries.with(pool.id(), new Entry(bare, pool));
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

    /// Forgets who sees a pool.
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

    /// The pools that a node sees, usable or not: its own by id, then others by id.
    public List<PoolView> seenFrom(Node node) {
        var seen = new ArrayList<PoolView>();
        localTo(node.name()).forEach((_, pool) -> pool.seenFrom(node).ifPresent(seen::add));
        common.forEach((_, pool) -> pool.seenFrom(node).ifPresent(seen::add));
        return List.copyOf(seen);
    }

    /// Visits pools that came, went or changed since.
    public void changesSince(Pools before, Consumer<PoolId> visit) {
        entries.changesSince(before.entries, visit);
    }
}
