package dev.berth.model.api.slice;

import java.util.Optional;

/// How a device consumes one of the node's allocatable resources, such as `cpu` or `memory`.
public record NodeAllocatableResource(
        Optional<NodeAllocatableMapping> mapping, Optional<NodeAllocatableOverhead> overhead) {}
