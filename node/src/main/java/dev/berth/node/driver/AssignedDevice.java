package dev.berth.node.driver;

import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.quantity.Quantity;
import java.util.Map;
import java.util.Optional;

/// A device that is allocated to a claim.
///
/// @param request the request it was allocated for: `request` or `request/subrequest`
/// @param share the share ID, for a device that several claims may use at once
/// @param consumedCapacity the capacity of the device that the claim consumes
/// @param isAdmin true for admin access: the claim monitors the device beside its regular user
/// @param parameters the configuration from claim or class, or else the driver's default
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

    /// The request without a subrequest, which is the name that containers refer to.
    public String baseRequest() {
        var slash = request.indexOf('/');
        return slash < 0 ? request : request.substring(0, slash);
    }
}
