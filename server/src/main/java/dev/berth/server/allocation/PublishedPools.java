package dev.berth.server.allocation;

import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.inventory.Pools;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.UnknownFieldPolicy;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pools that drivers have published in ResourceSlices.
///
/// Slices are decoded on the first use of their pool: most devices are allocated exclusively and
/// consume no counters, and for those the slices need not be decoded at all.
final class PublishedPools implements CollectionCursor.Listener {

    /// A stored slice.
    ///
    /// @param hasCounters whether it defines shared counters
    private record StoredSlice(PoolId pool, boolean hasCounters, Entry entry) {}

    /// The slices of a pool by name, and the decoded pool once it has been used.
    private static final class StoredPool {
        private final Map<String, StoredSlice> slices = new HashMap<>();
        private Optional<DecodedPool> decoded = Optional.empty();
    }

    /// @param pool empty when its slices are incomplete or inconsistent
    private record DecodedPool(Optional<PoolView> pool) {}

    private final Codec codec = new Codec();
    private final Pool.Rules rules;
    private final Map<String, StoredSlice> slices = new HashMap<>();
    private final Map<PoolId, StoredPool> pools = new HashMap<>();

    PublishedPools(Pool.Rules rules) {
        this.rules = rules;
    }

    /// Whether a slice of the pool defines shared counters.
    boolean hasCounters(PoolId id) {
        var pool = pools.get(id);
        return pool != null && pool.slices.values().stream().anyMatch(StoredSlice::hasCounters);
    }

    /// The pool, if its slices are complete, of one generation and consistent. The same instance as
    /// long as none of its slices changes.
    Optional<PoolView> find(PoolId id) {
        var pool = pools.get(id);
        if (pool == null) {
            return Optional.empty();
        }
        var decoded = pool.decoded.orElseGet(() -> decode(id, pool));
        pool.decoded = Optional.of(decoded);
        return decoded.pool;
    }

    private DecodedPool decode(PoolId id, StoredPool pool) {
        var decoded =
                pool.slices.values().stream().flatMap(one -> read(one.entry).stream()).toList();
        return new DecodedPool(
                Pools.none(rules)
                        .with(decoded, Pools.TaintOverlay.NONE)
                        .find(id)
                        .flatMap(Pool::clusterView));
    }

    @Override
    public void reload(List<Entry> entries) {
        slices.clear();
        pools.clear();
        entries.forEach(this::put);
    }

    @Override
    public void apply(Change change) {
        remove(change.entry().key().name());
        if (change.type() != Change.Type.DELETED) {
            put(change.entry());
        }
    }

    private void put(Entry entry) {
        var slice = slice(entry);
        var name = entry.key().name();
        slices.put(name, slice);
        var pool = pools.computeIfAbsent(slice.pool, _ -> new StoredPool());
        pool.slices.put(name, slice);
        pool.decoded = Optional.empty();
    }

    private void remove(String name) {
        var slice = slices.remove(name);
        if (slice == null) {
            return;
        }
        var pool = pools.get(slice.pool);
        if (pool != null) {
            pool.slices.remove(name);
            pool.decoded = Optional.empty();
            if (pool.slices.isEmpty()) {
                pools.remove(slice.pool);
            }
        }
    }

    private static StoredSlice slice(Entry entry) {
        JsonObject spec = StoredObjects.tree(entry).objectOrEmpty("spec");
        var pool = new PoolId(spec.text("driver"), spec.objectOrEmpty("pool").text("name"));
        return new StoredSlice(pool, !spec.objects("sharedCounters").isEmpty(), entry);
    }

    private Optional<ResourceSlice> read(Entry entry) {
        return codec.readTree(
                        Kinds.RESOURCE_SLICE, StoredObjects.tree(entry), UnknownFieldPolicy.LENIENT)
                .value()
                .map(PublishedPools::withoutAttributes);
    }

    /// Removes attributes: they are most of a slice and do not affect capacities or counters.
    private static ResourceSlice withoutAttributes(ResourceSlice slice) {
        var spec = slice.spec();
        var devices =
                spec.devices().stream().map(device -> device.withAttributes(Map.of())).toList();
        return new ResourceSlice(slice.metadata(), spec.withDevices(devices));
    }
}
