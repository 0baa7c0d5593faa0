package dev.berth.server.allocation;

import dev.berth.model.quantity.Quantity;
import dev.berth.server.store.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The allocations of one device: exclusive, or in shares. They may conflict if they were stored
/// without the guard.
final class DeviceAllocations {

    // By share ID; that of exclusive allocations is empty.
    private final Map<String, List<DeviceAllocation>> allocations = new HashMap<>();
    private final Map<String, Quantity> consumed = new HashMap<>();

    void add(DeviceAllocation allocation) {
        allocations.computeIfAbsent(allocation.shareId(), _ -> new ArrayList<>(1)).add(allocation);
        allocation
                .consumedCapacity()
                .forEach((name, amount) -> consumed.merge(name, amount, Quantity::plus));
    }

    void remove(DeviceAllocation allocation) {
        var same = allocations.get(allocation.shareId());
        if (same == null || !same.remove(allocation)) {
            throw new IllegalStateException(allocation + " is not in the index");
        }
        if (same.isEmpty()) {
            allocations.remove(allocation.shareId());
        }
        allocation
                .consumedCapacity()
                .forEach((name, amount) -> consumed.put(name, consumed(name).minus(amount)));
    }

    boolean isFree() {
        return allocations.isEmpty();
    }

    /// The claim that holds the device exclusively.
    Optional<ObjectKey> exclusiveHolder() {
        return holder("");
    }

    /// The claim that holds the share with that ID.
    Optional<ObjectKey> holder(String shareId) {
        var same = allocations.get(shareId);
        return same == null ? Optional.empty() : Optional.of(same.getFirst().claim());
    }

    /// Any claim that holds the device or a share of it.
    Optional<ObjectKey> anyHolder() {
        return exclusiveHolder()
                .or(() ->
                        allocations.values().stream()
                                .findFirst()
                                .map(same -> same.getFirst().claim()));
    }

    /// The sum of the capacity that all shares consume.
    Quantity consumed(String capacity) {
        return consumed.getOrDefault(capacity, Quantity.ZERO);
    }
}
