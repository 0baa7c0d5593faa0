package dev.berth.model.api.slice;

import dev.berth.model.json.JsonObject;

/// The nodes that can access one device.
public sealed interface DeviceScope
        permits NodeScope, DeviceScope.AsSlice, DeviceScope.Unrecognised {

    /// Defined by the slice for all its devices.
    record AsSlice() implements DeviceScope {}

    /// Several of the fields are set; kept as written.
    record Unrecognised(JsonObject raw) implements DeviceScope {}
}
