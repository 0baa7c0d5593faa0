package dev.berth.model.api;

import dev.berth.model.json.JsonObject;

/// From which nodes the devices of a slice can be reached.
public sealed interface SliceScope
        permits NodeScope, SliceScope.PerDevice, SliceScope.Unrecognised {

    /// Each device says so itself.
    record PerDevice() implements SliceScope {}

    /// None of the known ways, or several at once; the fields are kept as they were written.
    record Unrecognised(JsonObject raw) implements SliceScope {}
}
