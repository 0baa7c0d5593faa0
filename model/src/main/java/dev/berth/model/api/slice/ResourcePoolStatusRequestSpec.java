package dev.berth.model.api.slice;

import java.util.Optional;
import java.util.OptionalLong;

/// Selector of pools and limit of a status request.
public record ResourcePoolStatusRequestSpec(
        String driver,
        Optional<String> poolName,
        OptionalLong limit,
        Optional<String> defaultPartitionTypeAttribute) {}
