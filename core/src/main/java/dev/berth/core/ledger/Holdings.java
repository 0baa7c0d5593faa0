package dev.berth.core.ledger;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ShareId;
import dev.berth.model.quantity.Quantity;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// What is taken: devices held alone, shares of shareable devices, and how much of the capacity of
/// the latter is consumed. Administrative access holds nothing.
public record Holdings(
        Set<DeviceId> exclusive,
        Set<ShareId> shares,
        Map<DeviceId, Map<String, Quantity>> consumed) {

    public static final Holdings NONE = new Holdings(Set.of(), Set.of(), Map.of());

    public Holdings {
        // Devices are named by drivers: in a set of Set.copyOf, names that collide cost a search
        // through all of them.
        exclusive = Collections.unmodifiableSet(new HashSet<>(exclusive));
        shares = Collections.unmodifiableSet(new HashSet<>(shares));
        consumed = Collections.unmodifiableMap(new HashMap<>(consumed));
    }

    /// What the allocations of these claims take together.
    public static Holdings of(Collection<ResourceClaim> claims) {
        return ofDevices(
                claims.stream()
                        .flatMap(claim -> claim.status().allocation().stream())
                        .flatMap(allocation -> allocation.devices().stream())
                        .toList());
    }

    /// What these take together that claims were given.
    static Holdings ofDevices(Collection<AllocatedDevice> devices) {
        if (devices.isEmpty()) {
            return NONE;
        }
        var exclusive = new HashSet<DeviceId>();
        var shares = new HashSet<ShareId>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var device : devices) {
            if (!device.isAdmin()) {
                take(device, exclusive, shares, consumed);
            }
        }
        return new Holdings(exclusive, shares, consumed);
    }

    /// The names of all devices of a pool that somebody holds or has a share of.
    public Set<String> devicesOf(PoolId pool) {
        var names = new HashSet<String>();
        exclusive.forEach(id -> addIfOf(pool, id, names));
        shares.forEach(share -> addIfOf(pool, share.device(), names));
        consumed.keySet().forEach(id -> addIfOf(pool, id, names));
        return names;
    }

    private static void addIfOf(PoolId pool, DeviceId id, Set<String> names) {
        if (id.pool().equals(pool.pool()) && id.driver().equals(pool.driver())) {
            names.add(id.device());
        }
    }

    private boolean isNothing() {
        return exclusive.isEmpty() && shares.isEmpty() && consumed.isEmpty();
    }

    /// What is taken here or there, of different pools.
    Holdings and(Holdings ofOthers) {
        if (isNothing() || ofOthers.isNothing()) {
            return isNothing() ? ofOthers : this;
        }
        var allExclusive = new HashSet<>(exclusive);
        allExclusive.addAll(ofOthers.exclusive);
        var allShares = new HashSet<>(shares);
        allShares.addAll(ofOthers.shares);
        var allConsumed = new HashMap<>(consumed);
        allConsumed.putAll(ofOthers.consumed);
        return new Holdings(allExclusive, allShares, allConsumed);
    }

    private static void take(
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
