package dev.berth.model.api.claim;

import dev.berth.model.json.JsonObject;

/// A selector that a device must match.
public sealed interface DeviceSelector {

    record Cel(String expression) implements DeviceSelector {}

    /// A selector of an unknown type; kept as written.
    record Unrecognised(JsonObject raw) implements DeviceSelector {}
}
