package dev.berth.model.api.claim;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Configuration for drivers.
public sealed interface DeviceConfiguration {

    /// Driver-specific parameters; JSON `null` when absent.
    record Opaque(String driver, Json parameters) implements DeviceConfiguration {}

    /// Configuration of an unknown type, or none; kept as written.
    record Unrecognised(JsonObject raw) implements DeviceConfiguration {}
}
