package dev.berth.server.allocation;

import dev.berth.core.inventory.NodePool;
import dev.berth.core.inventory.Pool;
import dev.berth.core.inventory.Pools;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.codec.Codec;
import dev.berth.model.codec.Kinds;
import dev.berth.model.codec.Strictness;
import dev.berth.server.registry.Objects;
import dev.berth.server.store.Change;
import dev.berth.server.store.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The pools that drivers have published in ResourceSlices. A changed slice costs the pool that it
/// belongs to.
final class PublishedPools implements CollectionCursor.Listener {

    private final Codec codec = new Codec();
    private final Pool.Rules rules;
    private Pools pools;

    PublishedPools(Pool.Rules rules) {
        this.rules = rules;
        this.pools = Pools.none(rules);
    }

    /// The pool, if its slices tell what it has: all are there, of one generation and consistent.
    /// The same object as long as none of its slices changes.
    Optional<NodePool> find(PoolId pool) {
        return pools.find(pool).flatMap(Pool::seenFromCluster);
    }

    @Override
    public void reload(List<Entry> entries) {
        var slices = entries.stream().flatMap(entry -> read(entry).stream()).toList();
        pools = Pools.none(rules).with(slices, Pools.Overlay.NONE);
    }

    @Override
    public void apply(Change change) {
        var slice =
                change.type() == Change.Type.DELETED
                        ? Optional.<ResourceSlice>empty()
                        : read(change.entry());
        pools =
                slice.map(one -> pools.with(one, Pools.Overlay.NONE))
                        .orElseGet(() ->
                                pools.without(change.entry().key().name(), Pools.Overlay.NONE));
    }

    private Optional<ResourceSlice> read(Entry entry) {
        return codec.readTree(Kinds.RESOURCE_SLICE, Objects.tree(entry), Strictness.LENIENT)
                .value()
                .map(PublishedPools::withoutAttributes);
    }

    /// Attributes say nothing about how much of a device there is, and are most of a slice.
    private static ResourceSlice withoutAttributes(ResourceSlice slice) {
        var spec = slice.spec();
        var devices =
                spec.devices().stream().map(device -> device.withAttributes(Map.of())).toList();
        return new ResourceSlice(slice.metadata(), spec.withDevices(devices));
    }
}
