package dev.berth.core.ledger;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.ObjectRef;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// All claims, and what they hold of each pool. Never changed: folding a claim in gives another
/// ledger, at the cost of the pools that the claim has devices of.
public final class Ledger {

    /// No claims.
    public static final Ledger EMPTY =
            new Ledger(PersistentSortedMap.of(), PersistentSortedMap.of());

    private final PersistentSortedMap<ObjectRef, ResourceClaim> claims;
    private final PersistentSortedMap<PoolId, PoolHoldings> uses;

    private Ledger(
            PersistentSortedMap<ObjectRef, ResourceClaim> claims,
            PersistentSortedMap<PoolId, PoolHoldings> uses) {
        this.claims = claims;
        this.uses = uses;
    }

    /// With a claim, in place of one of the same name.
    public Ledger with(ResourceClaim claim) {
        var ref = claim.ref();
        var before = claims.find(ref).map(Ledger::byPool).orElse(Map.of());
        return new Ledger(claims.with(ref, claim), moved(ref, before, byPool(claim)));
    }

    /// Without the claim of a name, and what it holds.
    public Ledger without(ObjectRef ref) {
        return claims.find(ref)
                .map(claim -> new Ledger(claims.without(ref), moved(ref, byPool(claim), Map.of())))
                .orElse(this);
    }

    /// Without several claims, as if they were gone.
    public Ledger without(Collection<ObjectRef> refs) {
        var next = this;
        for (var ref : refs) {
            next = next.without(ref);
        }
        return next;
    }

    private static Map<PoolId, List<AllocatedDevice>> byPool(ResourceClaim claim) {
        var devices = new TreeMap<PoolId, List<AllocatedDevice>>();
        claim.status()
                .allocation()
                .ifPresent(got ->
                        got.devices()
                                .forEach(device ->
                                        devices.computeIfAbsent(
                                                        device.id().poolId(),
                                                        _ -> new ArrayList<>())
                                                .add(device)));
        return devices;
    }

    /// A pool of which the claim has what it had is left as it is, so that nobody asks it again.
    private PersistentSortedMap<PoolId, PoolHoldings> moved(
            ObjectRef ref,
            Map<PoolId, List<AllocatedDevice>> before,
            Map<PoolId, List<AllocatedDevice>> now) {
        var next = uses;
        for (var pool : before.keySet()) {
            if (!now.containsKey(pool)) {
                var rest = use(pool).without(ref);
                next = rest.isEmpty() ? next.without(pool) : next.with(pool, rest);
            }
        }
        for (var pool : now.entrySet()) {
            if (!pool.getValue().equals(before.get(pool.getKey()))) {
                var use = use(pool.getKey()).with(ref, List.copyOf(pool.getValue()));
                next = next.with(pool.getKey(), use);
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

    public PoolHoldings use(PoolId pool) {
        return uses.find(pool).orElse(PoolHoldings.NONE);
    }

    /// What is taken of these pools together.
    public Holdings holdings(Collection<PoolId> pools) {
        var sum = Holdings.NONE;
        for (var pool : pools) {
            sum = sum.and(use(pool).holdings());
        }
        return sum;
    }

    /// Visits pools of which something was taken or given back since.
    public void changesSince(Ledger before, Consumer<PoolId> visit) {
        uses.changesSince(before.uses, visit);
    }
}
