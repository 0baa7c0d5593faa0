package dev.berth.model.api.slice;

import dev.berth.model.api.meta.Condition;
import java.util.List;
import java.util.OptionalLong;

/// The number of matching pools and the status of the first ones.
public record ResourcePoolStatusRequestStatus(
        OptionalLong poolCount, List<PoolStatus> pools, List<Condition> conditions) {

    public ResourcePoolStatusRequestStatus {
        pools = List.copyOf(pools);
        conditions = List.copyOf(conditions);
    }
}
