package dev.berth.model.api;

import dev.berth.model.json.Json;
import java.util.List;
import java.util.Optional;

/// What a driver says of a device that was allocated.
public record AllocatedDeviceStatus(
        DeviceId id,
        Optional<String> shareId,
        List<Condition> conditions,
        Optional<Json> data,
        Optional<NetworkDeviceStatus> network) {

    public AllocatedDeviceStatus {
        conditions = List.copyOf(conditions);
    }
}
