package dev.berth.model.api.slice;

import dev.berth.model.quantity.Quantity;
import java.util.Optional;

/// Additional amount of a node resource for using a device, per pod and per container that refers
/// to the claim.
public record NodeAllocatableOverhead(Optional<Quantity> perPod, Optional<Quantity> perContainer) {}
