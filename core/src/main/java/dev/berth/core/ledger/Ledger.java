package dev.berth.core.ledger;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.PoolId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Immutable index of all claims and their allocated devices by pool. Adding a claim returns a new
/// ledger and costs as much as updating the pools of its devices.
public final class Ledger {

    /// No claims.
    public static final Ledger EMPTY =
            new Ledger(PersistentSortedMap.of(), PersistentSortedMap.of());

    private final PersistentSortedMap<ObjectRef, ResourceClaim> claims;
    private final PersistentSortedMap<PoolId, PoolHoldings> pools;

    private Ledger(
            PersistentSortedMap<ObjectRef, ResourceClaim> claims,
            PersistentSortedMap<PoolId, PoolHoldings> pools) {
        this.claims = claims;
        this.pools = pools;
    }

    /// With a claim added, or replaced by name.
    public Ledger with(ResourceClaim claim) {
        var ref = claim.ref();
        var before = claims.find(ref).map(Ledger::byPool).orElse(Map.of());
        return new Ledger(claims.with(ref, claim), updated(ref, before, byPool(claim)));
    }

    /// Without the claim with this name and its devices.
    public Ledger without(ObjectRef ref) {
        return claims.find(ref)
                .map(claim ->
                        new Ledger(claims.without(ref), updated(ref, byPool(claim), Map.of())))
                .orElse(this);
    }

    private static Map<PoolId, List<AllocatedDevice>> byPool(ResourceClaim claim) {
        var devices = new TreeMap<PoolId, List<AllocatedDevice>>();
        claim.status()
                .allocation()
                .ifPresent(allocation ->
                        allocation
                                .devices()
                                .forEach(device ->
                                        devices.computeIfAbsent(
                                                        device.id().poolId(),
                                                        _ -> new ArrayList<>())
                                                .add(device)));
        return devices;
    }

    /// Pools with unchanged devices of the claim are kept as they are, so that [#changesSince] does
    /// not report them.
    private PersistentSortedMap<PoolId, PoolHoldings> updated(
            ObjectRef ref,
            Map<PoolId, List<AllocatedDevice>> before,
            Map<PoolId, List<AllocatedDevice>> now) {
        var next = pools;
        for (var pool : before.keySet()) {
            if (!now.containsKey(pool)) {
                var rest = poolHoldings(pool).without(ref);
                next = rest.isEmpty() ? next.without(pool) : next.with(pool, rest);
            }
        }
        for (var pool : now.entrySet()) {
            if (!pool.getValue().equals(before.get(pool.getKey()))) {
                var holdings = poolHoldings(pool.getKey()).with(ref, List.copyOf(pool.getValue()));
                next = next.with(pool.getKey(), holdings);
            }
        }
        return next;
    }

    public Optional<ResourceClaim> claim(ObjectRef ref) {
        return claims.find(ref);
    }

    /// All claims, by name.
    public List<ResourceClaim> claims() {
        return claims.values();
    }

    public PoolHoldings poolHoldings(PoolId pool) {
        return pools.find(pool).orElse(PoolHoldings.NONE);
    }

    /// The holdings of these pools together.
    public Holdings holdings(Collection<PoolId> pools) {
        var sum = Holdings.NONE;
        for (var pool : pools) {
            sum = sum.plus(poolHoldings(pool).holdings());
        }
        return sum;
    }

    /// Visits the claims that were added, removed or replaced since.
    public void claimChangesSince(Ledger before, Consumer<ObjectRef> visit) {
        claims.changesSince(before.claims, visit);
    }

    /// Visits the IDs of pools in which devices were allocated or released since.
    public void changesSince(Ledger before, Consumer<PoolId> visit) {
        pools.changesSince(before.pools, visit);
    }
}
