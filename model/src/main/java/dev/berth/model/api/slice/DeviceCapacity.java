package dev.berth.model.api.slice;

import dev.berth.model.quantity.Quantity;
import java.util.Optional;

/// A capacity of a device, and the policy by which requests for a part are rounded.
public record DeviceCapacity(Quantity value, Optional<CapacityRequestPolicy> requestPolicy) {}
