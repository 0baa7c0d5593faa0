package dev.berth.core.ledger;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ObjectRef;
import java.util.ArrayList;
import java.util.List;

/// What is taken of one pool, and by which claims.
public final class PoolHoldings {

    /// Nobody has anything.
    public static final PoolHoldings NONE = new PoolHoldings(PersistentSortedMap.of());

    private final PersistentSortedMap<ObjectRef, List<AllocatedDevice>> holders;
    private final Holdings holdings;

    private PoolHoldings(PersistentSortedMap<ObjectRef, List<AllocatedDevice>> holders) {
        this.holders = holders;
        this.holdings =
                Holdings.ofDevices(holders.values().stream().flatMap(List::stream).toList());
    }

    /// @param devices those of this pool that the claim has been given
    PoolHoldings with(ObjectRef claim, List<AllocatedDevice> devices) {
        return new PoolHoldings(holders.with(claim, devices));
    }

    PoolHoldings without(ObjectRef claim) {
        return new PoolHoldings(holders.without(claim));
    }

    public Holdings holdings() {
        return holdings;
    }

    boolean isEmpty() {
        return holders.isEmpty();
    }

    /// How many claims have been given anything.
    public int holders() {
        return holders.size();
    }

    /// Whether another claim has a device, not for administration only.
    public boolean isHeldByOthers(DeviceId device, ObjectRef claim) {
        for (var holder : holdersOf(device)) {
            if (!holder.equals(claim)
                    && holders.find(holder).orElse(List.of()).stream()
                            .anyMatch(held -> held.id().equals(device) && !held.isAdmin())) {
                return true;
            }
        }
        return false;
    }

    /// The claims that have been given a device, alone, in shares or for administration.
    public List<ObjectRef> holdersOf(DeviceId device) {
        var found = new ArrayList<ObjectRef>();
        holders.forEach((claim, devices) -> {
            if (devices.stream().anyMatch(held -> held.id().equals(device))) {
                found.add(claim);
            }
        });
        return found;
    }
}
