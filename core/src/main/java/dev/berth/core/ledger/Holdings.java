package dev.berth.core.ledger;

import dev.berth.model.api.AllocatedDevice;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.ResourceClaim;
import dev.berth.model.api.ShareId;
import dev.berth.model.quantity.Quantity;
import java.util.Collection;
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
        exclusive = Set.copyOf(exclusive);
        shares = Set.copyOf(shares);
        consumed = Map.copyOf(consumed);
    }

    /// What the allocations of these claims take together.
    public static Holdings of(Collection<ResourceClaim> claims) {
        var exclusive = new HashSet<DeviceId>();
        var shares = new HashSet<ShareId>();
        var consumed = new HashMap<DeviceId, Map<String, Quantity>>();
        for (var claim : claims) {
            claim.status().allocation().stream()
                    .flatMap(allocation -> allocation.devices().stream())
                    .filter(device -> !device.isAdmin())
                    .forEach(device -> take(device, exclusive, shares, consumed));
        }
        return new Holdings(exclusive, shares, consumed);
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
