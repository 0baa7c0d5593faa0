package dev.berth.model.api;

import java.util.Optional;
import java.util.OptionalLong;

/// Which pools are asked about, and how many at most.
public record ResourcePoolStatusRequestSpec(
        String driver,
        Optional<String> poolName,
        OptionalLong limit,
        Optional<String> defaultPartitionTypeAttribute) {}
