package dev.berth.server.allocation;

import dev.berth.core.inventory.PoolView;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is allocated of the devices of one pool, and what that leaves of the shared counters.
final class PoolAllocations {

    private final Map<String, DeviceAllocations> devices = new HashMap<>();

    // The pool as it was published when counters were last asked for, and what is left of them.
    private @Nullable PoolView published;
    private BigInteger[] left = new BigInteger[0];

    void add(DeviceAllocation allocation) {
        var name = allocation.device().device();
        var use = devices.get(name);
        if (use == null) {
            use = new DeviceAllocations();
            devices.put(name, use);
            drawCounters(name, -1);
        }
        use.add(allocation);
    }

    void remove(DeviceAllocation allocation) {
        var name = allocation.device().device();
        var use = devices.get(name);
        if (use == null) {
            throw new IllegalStateException(allocation + " is not in the index");
        }
        use.remove(allocation);
        if (use.isFree()) {
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

    /// The use of a device; absent when it is free.
    @Nullable DeviceAllocations device(String name) {
        return devices.get(name);
    }

    /// What is left of each counter of the pool. Counted anew only when its slices have changed.
    @SuppressWarnings("ReferenceEquality") // a pool whose slices did not change is the same object
    BigInteger[] countersLeft(PoolView pool) {
        if (published != pool) {
            left = pool.countersLeft(devices.keySet());
            published = pool;
        }
        return left;
    }
}
