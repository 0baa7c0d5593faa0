package dev.berth.server.allocation;

import dev.berth.core.inventory.PoolView;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The allocations of the devices of one pool, and the remaining shared counters.
final class PoolAllocations {

    private final Map<String, DeviceAllocations> devices = new HashMap<>();

    // The published pool for which the remaining counters were last computed.
    private @Nullable PoolView published;
    private BigInteger[] left = new BigInteger[0];

    void add(DeviceAllocation allocation) {
        var name = allocation.device().device();
        var allocations = devices.get(name);
        if (allocations == null) {
            allocations = new DeviceAllocations();
            devices.put(name, allocations);
            drawCounters(name, -1);
        }
        allocations.add(allocation);
    }

    void remove(DeviceAllocation allocation) {
        var name = allocation.device().device();
        var allocations = devices.get(name);
        if (allocations == null) {
            throw new IllegalStateException(allocation + " is not in the index");
        }
        allocations.remove(allocation);
        if (allocations.isFree()) {
            devices.remove(name);
            drawCounters(name, 1);
        }
    }

    private void drawCounters(String device, int sign) {
        if (published == null) {
            return;
        }
        for (var consumption : published.consumptionsOf(device)) {
            for (var i = 0; i < consumption.counters().length; i++) {
                var amount = consumption.exactAmounts()[i];
                var counter = consumption.counters()[i];
                left[counter] = left[counter].add(sign < 0 ? amount.negate() : amount);
            }
        }
    }

    boolean isFree() {
        return devices.isEmpty();
    }

    /// The allocations of a device; null when it is free.
    @Nullable DeviceAllocations device(String name) {
        return devices.get(name);
    }

    /// The remaining amount of each counter of the pool. Recomputed only when its slices have
    /// changed.
    @SuppressWarnings("ReferenceEquality") // a pool whose slices did not change is the same object
    BigInteger[] countersLeft(PoolView pool) {
        if (published != pool) {
            left = pool.countersLeft(devices.keySet());
            published = pool;
        }
        return left;
    }
}
