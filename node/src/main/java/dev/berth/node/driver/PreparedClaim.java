package dev.berth.node.driver;

import dev.berth.model.api.slice.DeviceId;
import java.util.List;

/// A claim for which [Driver#prepare] was called, complete or not.
public record PreparedClaim(ClaimRef claim, List<DeviceId> devices) {

    public PreparedClaim {
        devices = List.copyOf(devices);
    }
}
