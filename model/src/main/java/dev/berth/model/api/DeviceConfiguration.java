package dev.berth.model.api;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Parameters for drivers.
public sealed interface DeviceConfiguration {

    /// Parameters that only the driver understands; JSON `null` when absent.
    record Opaque(String driver, Json parameters) implements DeviceConfiguration {}

    /// Parameters of a newer API, or none; kept as they were written.
    record Unrecognised(JsonObject raw) implements DeviceConfiguration {}
}
