package dev.berth.model.api.slice;

import dev.berth.model.json.JsonObject;

/// The nodes that can access the devices of a slice.
public sealed interface SliceScope
        permits NodeScope, SliceScope.PerDevice, SliceScope.Unrecognised {

    /// Defined per device (`perDeviceNodeSelection`).
    record PerDevice() implements SliceScope {}

    /// None or several of the fields are set; kept as written.
    record Unrecognised(JsonObject raw) implements SliceScope {}
}
