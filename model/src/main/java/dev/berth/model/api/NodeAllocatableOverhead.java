package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.Optional;

/// How much of a node's resource the use of a device costs besides, for each pod and for each
/// container that refers to the claim.
public record NodeAllocatableOverhead(Optional<Quantity> perPod, Optional<Quantity> perContainer) {}
