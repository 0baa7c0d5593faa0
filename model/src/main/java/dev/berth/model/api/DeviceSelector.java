package dev.berth.model.api;

import dev.berth.model.json.JsonObject;

/// A test that a device must pass.
public sealed interface DeviceSelector {

    record Cel(String expression) implements DeviceSelector {}

    /// A test of a newer API; kept as it was written.
    record Unrecognised(JsonObject raw) implements DeviceSelector {}
}
