package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;

/// What a pod's claim takes of the node's own resources.
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

    /// An amount that the claim stands for.
    public record Mapped(String name, Quantity quantity) {}

    /// An amount that the use of the claim costs besides.
    public record Overhead(
            String name, Optional<Quantity> perPod, Optional<Quantity> perContainer) {}
}
