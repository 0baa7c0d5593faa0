package dev.berth.model.api;

import dev.berth.model.json.JsonObject;

/// From which nodes one device can be reached.
public sealed interface DeviceScope
        permits NodeScope, DeviceScope.AsSlice, DeviceScope.Unrecognised {

    /// The slice says it for all its devices.
    record AsSlice() implements DeviceScope {}

    /// Several ways at once; the fields are kept as they were written.
    record Unrecognised(JsonObject raw) implements DeviceScope {}
}
