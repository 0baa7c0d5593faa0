package dev.berth.core.ledger;

import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.api.claim.ResourceClaim;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Allocated devices: exclusively allocated ones, shares of shareable devices, and the consumed
/// capacity of the latter. Devices with admin access are not included.
public record Holdings(
        Set<DeviceId> exclusive,
        Set<ShareId> shares,
        Map<DeviceId, Map<String, Quantity>> consumed) {

    public static final Holdings NONE = new Holdings(Set.of(), Set.of(), Map.of());

    public Holdings {
        // Drivers choose device names: in a set of Set.copyOf, names with colliding hash codes cost
        // a linear search.
        exclusive = Collections.unmodifiableSet(new HashSet<>(exclusive));
        shares = Collections.unmodifiableSet(new HashSet<>(shares));
        consumed = Collections.unmodifiableMap(new HashMap<>(consumed));
    }

    /// The devices allocated to these claims.
    public static Holdings of(Collection<ResourceClaim> claims) {
        return ofDevices(
                claims.stream()
                        .flatMap(claim -> claim.status().allocation().stream())
                        .flatMap(allocation -> allocation.devices().stream())
                        .toList());
    }

    /// The holdings of these allocated devices.
    static Holdings ofDevices(Collection<AllocatedDevice> devices) {
        if (devices.isEmpty()) {
            return NONE;
        }
        var exclusive = new HashSet<DeviceId>();
        var shares = new HashSet<ShareId>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var device : devices) {
            if (!device.isAdmin()) {
                add(device, exclusive, shares, consumed);
            }
        }
        return new Holdings(exclusive, shares, consumed);
    }

    /// The names of all devices of a pool that are allocated exclusively or in shares.
    public Set<String> devicesOf(PoolId pool) {
        var names = new HashSet<String>();
        exclusive.forEach(id -> addIfInPool(pool, id, names));
        shares.forEach(share -> addIfInPool(pool, share.device(), names));
        consumed.keySet().forEach(id -> addIfInPool(pool, id, names));
        return names;
    }

    private static void addIfInPool(PoolId pool, DeviceId id, Set<String> names) {
        if (id.pool().equals(pool.pool()) && id.driver().equals(pool.driver())) {
            names.add(id.device());
        }
    }

    private boolean isEmpty() {
        return exclusive.isEmpty() && shares.isEmpty() && consumed.isEmpty();
    }

    /// The union of holdings of different pools.
    Holdings plus(Holdings other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        var allExclusive = new HashSet<>(exclusive);
        allExclusive.addAll(other.exclusive);
        var allShares = new HashSet<>(shares);
        allShares.addAll(other.shares);
        var allConsumed = new HashMap<>(consumed);
        allConsumed.putAll(other.consumed);
        return new Holdings(allExclusive, allShares, allConsumed);
    }

    private static void add(
            AllocatedDevice device,
            Set<DeviceId> exclusive,
            Set<ShareId> shares,
            Map<DeviceId, Map<String, Quantity>> consumed) {
        var share = device.share();
        if (share.isEmpty()) {
            exclusive.add(device.id());
            return;
        }
        shares.add(share.get());
        if (!device.consumedCapacity().isEmpty()) {
            var sums = consumed.computeIfAbsent(device.id(), _ -> new HashMap<>());
            device.consumedCapacity()
                    .forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
        }
    }
}
