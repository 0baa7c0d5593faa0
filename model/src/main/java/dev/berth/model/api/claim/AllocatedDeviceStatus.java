package dev.berth.model.api.claim;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.json.Json;
import java.util.List;
import java.util.Optional;

/// Status of an allocated device as reported by its driver.
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
