package dev.berth.node.driver;

import dev.berth.model.api.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A device that a claim has got.
///
/// @param request for which it was allocated: `request` or `request/alternative`
/// @param share which share, when several claims may use the device at once
/// @param consumedCapacity how much of the device's capacity belongs to the claim
/// @param isAdmin true when the device is only to be watched over, beside its real user
/// @param parameters what claim or class say, or else the driver's own
public record AssignedDevice<P>(
        String request,
        DeviceId id,
        Optional<String> share,
        Map<String, Quantity> consumedCapacity,
        boolean isAdmin,
        P parameters) {

    public AssignedDevice {
        consumedCapacity = Map.copyOf(consumedCapacity);
    }

    /// The device's name within its pool.
    public String name() {
        return id.device();
    }

    /// The request without an alternative: what containers refer to.
    public String baseRequest() {
        var slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
