package dev.berth.model.api.slice;

import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;

/// The amount of a node resource that a claim represents, counted once per claim.
public sealed interface NodeAllocatableMapping {

    /// An amount per unit of a consumed capacity.
    record PerCapacity(String capacityKey, Quantity multiplier) implements NodeAllocatableMapping {}

    /// An amount per device.
    record PerDevice(Quantity multiplier) implements NodeAllocatableMapping {}

    /// None or both of the fields are set; kept as written.
    record Unrecognised(JsonObject raw) implements NodeAllocatableMapping {}
}
