package dev.berth.core.ledger;

import dev.berth.core.persistent.PersistentSortedMap;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.api.slice.DeviceId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// The allocated devices of one pool and the claims that hold them.
public final class PoolHoldings {

    /// No allocated devices.
    public static final PoolHoldings NONE = new PoolHoldings(PersistentSortedMap.of());

    private final PersistentSortedMap<ObjectRef, List<AllocatedDevice>> holders;
    private final Holdings holdings;

    private PoolHoldings(PersistentSortedMap<ObjectRef, List<AllocatedDevice>> holders) {
        this.holders = holders;
        this.holdings =
                Holdings.ofDevices(holders.values().stream().flatMap(List::stream).toList());
    }

    /// @param devices devices of this pool that are allocated to the claim
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

    /// Visits the claims with allocated devices, by name, and their devices of this pool.
    public void forEach(BiConsumer<ObjectRef, List<AllocatedDevice>> visit) {
        holders.forEach(visit);
    }

    /// The number of claims with allocated devices.
    public int holders() {
        return holders.size();
    }

    /// Whether another claim holds a device other than with admin access.
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

    /// The claims that a device is allocated to: exclusively, in shares or with admin access.
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
