package dev.berth.model.api.pod;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// Node-allocatable resources that a claim of a pod consumes.
public record NodeAllocatableClaimStatus(
        String resourceClaimName,
        List<String> containers,
        List<Mapped> mapping,
        List<Overhead> overhead) {

    public NodeAllocatableClaimStatus {
        containers = List.copyOf(containers);
        mapping = List.copyOf(mapping);
        overhead = List.copyOf(overhead);
    }

    /// An amount that the devices of the claim represent.
    public record Mapped(String name, Quantity quantity) {}

    /// An additional amount for using the claim.
    public record Overhead(
            String name, Optional<Quantity> perPod, Optional<Quantity> perContainer) {}
}
