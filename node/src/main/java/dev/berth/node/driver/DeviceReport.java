package dev.berth.node.driver;

import dev.berth.model.api.claim.NetworkDeviceStatus;
import dev.berth.model.api.meta.Condition;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Device status that the driver publishes in a claim's `status.devices`.
///
/// @param data driver-specific status
/// @param network interface name and addresses of a network device inside the container
public record DeviceReport(
        List<Condition> conditions,
        Optional<JsonObject> data,
        Optional<NetworkDeviceStatus> network) {

    public DeviceReport {
        conditions = List.copyOf(conditions);
    }

    public static DeviceReport of(NetworkDeviceStatus network) {
        return new DeviceReport(List.of(), Optional.empty(), Optional.of(network));
    }

    public static DeviceReport of(JsonObject data) {
        return new DeviceReport(List.of(), Optional.of(data), Optional.empty());
    }
}
