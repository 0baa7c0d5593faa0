package dev.berth.core.explain;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Index from pools to the claims that hold devices of them.
final class HoldersByPool {

    private final List<ResourceClaim> holders;
    private final Map<PoolId, List<ResourceClaim>> byPool = new HashMap<>();

    HoldersByPool(List<ResourceClaim> holders) {
        this.holders = holders;
        for (var holder : holders) {
            var touched = new LinkedHashSet<PoolId>();
            holder.status()
                    .allocation()
                    .ifPresent(got -> got.devices().forEach(d -> touched.add(d.id().poolId())));
            touched.forEach(
                    pool -> byPool.computeIfAbsent(pool, _ -> new ArrayList<>()).add(holder));
        }
    }

    /// Whether the index was built from this list. Variations share the lists that they do not
    /// change.
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<ResourceClaim> others) {
        return others == holders;
    }

    /// All claims that hold devices of these pools.
    List<ResourceClaim> holders(List<PoolView> pools) {
        var found = new LinkedHashMap<ObjectRef, ResourceClaim>();
        for (var pool : pools) {
            for (var holder : byPool.getOrDefault(pool.id(), List.of())) {
                found.putIfAbsent(holder.ref(), holder);
            }
        }
        return List.copyOf(found.values());
    }

    /// Devices and capacity of the pools that these claims hold, without released claims. Costs as
    /// much as the pools have holders.
    Holdings of(List<PoolView> pools, Set<ObjectRef> released) {
        var all = holders(pools);
        return Holdings.of(
                released.isEmpty()
                        ? all
                        : all.stream().filter(one -> !released.contains(one.ref())).toList());
    }
}
