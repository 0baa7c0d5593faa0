package dev.berth.model.api;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;

/// How much of a node's resource a claim stands for, counted once per claim.
public sealed interface NodeAllocatableMapping {

    /// So much for each unit of a capacity that the claim consumes.
    record PerCapacity(String capacityKey, Quantity multiplier) implements NodeAllocatableMapping {}

    /// So much for each device.
    record PerDevice(Quantity multiplier) implements NodeAllocatableMapping {}

    /// Neither way or both; kept as it was written.
    record Unrecognised(JsonObject raw) implements NodeAllocatableMapping {}
}
