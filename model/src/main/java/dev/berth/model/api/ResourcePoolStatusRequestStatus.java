package dev.berth.model.api;

import java.util.List;
import java.util.OptionalLong;

/// The answer: how many pools matched, and the first of them.
public record ResourcePoolStatusRequestStatus(
        OptionalLong poolCount, List<PoolStatus> pools, List<Condition> conditions) {

    public ResourcePoolStatusRequestStatus {
        pools = List.copyOf(pools);
        conditions = List.copyOf(conditions);
    }
}
