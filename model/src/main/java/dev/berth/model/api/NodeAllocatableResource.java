package dev.berth.model.api;

import java.util.Optional;

/// How a device counts against one of the node's own resources, such as `cpu` or `memory`.
public record NodeAllocatableResource(
        Optional<NodeAllocatableMapping> mapping, Optional<NodeAllocatableOverhead> overhead) {}
