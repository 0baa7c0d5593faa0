package dev.berth.server.allocation;

import dev.berth.core.inventory.PoolView;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.store.ObjectKey;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Index of all allocations by pool and device, which detects conflicts with a further allocation.
/// The cost of a check depends on the capacities and counters of the device, not on the number of
/// claims.
///
/// A device is allocated to one claim exclusively, or in shares with different IDs. Where the
/// slices of its pool are complete, shares require `allowMultipleAllocations`, the consumed
/// capacity may not exceed the capacity, and what all allocated devices of the pool consume of a
/// shared counter may not exceed that counter. Where slices are missing, incomplete, of several
/// generations or inconsistent, capacities and counters are not checked.
final class AllocationIndex {

    private final Map<PoolId, PoolAllocations> pools = new HashMap<>();
    private final PublishedPools published;

    AllocationIndex(PublishedPools published) {
        this.published = published;
    }

    void add(DeviceAllocation allocation) {
        pools.computeIfAbsent(allocation.device().poolId(), _ -> new PoolAllocations())
                .add(allocation);
    }

    void remove(DeviceAllocation allocation) {
        var id = allocation.device().poolId();
        var pool = pools.get(id);
        if (pool == null) {
            throw new IllegalStateException(allocation + " is not in the index");
        }
        pool.remove(allocation);
        if (pool.isFree()) {
            pools.remove(id);
        }
    }

    void clear() {
        pools.clear();
    }

    /// Why an allocation conflicts with those in the index; empty when it does not.
    Optional<String> conflict(DeviceAllocation allocation) {
        var id = allocation.device().poolId();
        var pool = pools.get(id);
        var use = pool == null ? null : pool.device(allocation.device().device());
        var heldByOther = use == null ? Optional.<String>empty() : heldByOther(allocation, use);
        if (heldByOther.isPresent()) {
            return heldByOther;
        }
        if (!allocation.isShare() && !published.hasCounters(id)) {
            return Optional.empty();
        }
        var slices = published.find(id);
        if (slices.isEmpty()) {
            return Optional.empty();
        }
        var consumed = use == null ? new DeviceAllocations() : use;
        var uses = pool == null ? new PoolAllocations() : pool;
        return (allocation.isShare()
                        ? overConsumed(allocation, slices.get(), consumed)
                        : Optional.<String>empty())
                .or(() ->
                        consumed.isFree()
                                ? overdrawn(allocation.device(), slices.get(), uses)
                                : Optional.empty());
    }

    private static Optional<String> heldByOther(
            DeviceAllocation allocation, DeviceAllocations use) {
        var device = allocation.device();
        if (!allocation.isShare()) {
            return use.anyHolder()
                    .map(holder ->
                            "device %s is allocated to claim %s; choose another"
                                    .formatted(device, name(holder)));
        }
        return use.exclusiveHolder()
                .map(holder ->
                        "device %s is allocated to claim %s exclusively; choose another"
                                .formatted(device, name(holder)))
                .or(() ->
                        use.holder(allocation.shareId())
                                .map(holder ->
                                        "share %s of device %s is allocated to claim %s"
                                                .formatted(
                                                        allocation.shareId(),
                                                        device,
                                                        name(holder))));
    }

    private static String name(ObjectKey claim) {
        return claim.namespace() + "/" + claim.name();
    }

    private static Optional<String> overConsumed(
            DeviceAllocation allocation, PoolView slices, DeviceAllocations use) {
        var device = allocation.device();
        var row = slices.row(device.device());
        if (row.isEmpty() || !slices.traits(row.get()).shareable()) {
            return Optional.of(
                    "device %s does not allow multiple allocations by its ResourceSlice"
                            .formatted(device));
        }
        var capacities = slices.capacities(row.get());
        for (var amount : allocation.consumedCapacity().entrySet()) {
            var capacity = capacities.get(amount.getKey());
            var before = use.consumed(amount.getKey());
            // Kubernetes accepts amounts of capacities that the device does not have.
            if (capacity != null
                    && before.plus(amount.getValue()).compareTo(capacity.value()) > 0) {
                return Optional.of(overConsumed(device, amount, capacity.value(), before));
            }
        }
        return Optional.empty();
    }

    private static String overConsumed(
            DeviceId device,
            Map.Entry<String, Quantity> amount,
            Quantity capacity,
            Quantity consumed) {
        return "device %s has %s of capacity %s, of which %s is consumed; %s more does not fit"
                .formatted(device, capacity, amount.getKey(), consumed, amount.getValue());
    }

    private static Optional<String> overdrawn(
            DeviceId device, PoolView slices, PoolAllocations pool) {
        if (slices.counters().size() == 0) {
            return Optional.empty();
        }
        var left = pool.countersLeft(slices);
        for (var consumption : slices.consumptionsOf(device.device())) {
            for (var i = 0; i < consumption.counters().length; i++) {
                var counter = consumption.counters()[i];
                var amount = consumption.exactAmounts()[i];
                if (amount.signum() > 0 && left[counter].compareTo(amount) < 0) {
                    return Optional.of(overdrawn(device, slices, counter, amount, left[counter]));
                }
            }
        }
        return Optional.empty();
    }

    private static String overdrawn(
            DeviceId device, PoolView slices, int counter, BigInteger amount, BigInteger left) {
        var counters = slices.counters();
        return "device %s consumes %s of counter %s, of which %s is left; choose another"
                .formatted(
                        device,
                        counters.quantity(counter, amount),
                        counters.counterName(counter),
                        counters.quantity(counter, left));
    }
}
