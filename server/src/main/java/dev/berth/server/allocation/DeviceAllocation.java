package dev.berth.server.allocation;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import dev.berth.server.store.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One device, or one share of a device, in the `status.allocation` of a claim.
///
/// @param shareId empty for an exclusive allocation
/// @param consumedCapacity by the name of the capacity; only for shares, and never negative
record DeviceAllocation(
        ObjectKey claim, DeviceId device, String shareId, Map<String, Quantity> consumedCapacity) {

    DeviceAllocation {
        consumedCapacity = Collections.unmodifiableMap(consumedCapacity);
    }

    /// The `status.allocation` of a claim; empty when there is none. Revisions of a claim with the
    /// same allocation usually share the object.
    static JsonObject allocation(JsonObject claim) {
        return claim.objectOrEmpty("status").objectOrEmpty("allocation");
    }

    /// The devices of a `status.allocation`, without those with admin access.
    static List<DeviceAllocation> of(ObjectKey claim, JsonObject allocation) {
        var results = allocation.objectOrEmpty("devices").objects("results");
        if (results.isEmpty()) {
            return List.of();
        }
        var allocations = new ArrayList<DeviceAllocation>(results.size());
        for (var result : results) {
            if (!result.flag("adminAccess").orElse(false)) {
                allocations.add(of(claim, result.text("shareID"), result));
            }
        }
        return allocations;
    }

    private static DeviceAllocation of(ObjectKey claim, String shareId, JsonObject result) {
        return new DeviceAllocation(
                claim,
                new DeviceId(result.text("driver"), result.text("pool"), result.text("device")),
                shareId,
                shareId.isEmpty() ? Map.of() : consumed(result.objectOrEmpty("consumedCapacity")));
    }

    private static Map<String, Quantity> consumed(JsonObject amounts) {
        var consumed = new HashMap<String, Quantity>();
        amounts.members()
                .forEach((name, value) -> {
                    if (value instanceof JsonString(var text)) {
                        // A negative amount would add capacity that the device does not have.
                        Quantity.tryParse(text)
                                .filter(amount -> amount.signum() > 0)
                                .ifPresent(amount -> consumed.put(name, amount));
                    }
                });
        return consumed;
    }

    boolean isShare() {
        return !shareId.isEmpty();
    }
}
