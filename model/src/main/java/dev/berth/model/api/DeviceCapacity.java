package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.Optional;

/// How much of something a device has, and how requests for a part of it are rounded.
public record DeviceCapacity(Quantity value, Optional<CapacityRequestPolicy> requestPolicy) {}
