package dev.berth.core.utilisation;

import dev.berth.model.api.claim.AllocationCount;
import dev.berth.model.api.claim.DeviceDemand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The sizes that pending pods request of each class. Requests that differ only in their number of
/// devices share one [CandidateFilter].
final class RequestedSizes {

    /// At most so many different requests with selectors, tolerations or capacity per class.
    private static final int MAX_REQUESTS = 20;

    private final Map<String, Set<Integer>> counts = new HashMap<>();
    private final Map<String, List<DeviceDemand>> demands = new HashMap<>();

    RequestedSizes(Collection<DeviceDemand> requested) {
        for (var demand : new LinkedHashSet<>(requested)) {
            if (demand.count() instanceof AllocationCount.ExactCount(var count)
                    && count > 0
                    && count <= Integer.MAX_VALUE) {
                if (isPlain(demand)) {
                    counts.computeIfAbsent(demand.deviceClassName(), _ -> new TreeSet<>())
                            .add((int) count);
                } else {
                    add(demand);
                }
            }
        }
    }

    private void add(DeviceDemand demand) {
        var all = demands.computeIfAbsent(demand.deviceClassName(), _ -> new ArrayList<>());
        if (all.size() < MAX_REQUESTS) {
            all.add(demand);
        }
    }

    private static boolean isPlain(DeviceDemand demand) {
        return demand.selectors().isEmpty()
                && demand.tolerations().isEmpty()
                && demand.capacity().isEmpty();
    }

    /// Numbers of devices in requests without selectors, tolerations and capacity.
    Set<Integer> counts(String deviceClass) {
        return counts.getOrDefault(deviceClass, Set.of());
    }

    /// Other requests.
    List<DeviceDemand> demands(String deviceClass) {
        return demands.getOrDefault(deviceClass, List.of());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestedSizes that
                && counts.equals(that.counts)
                && demands.equals(that.demands);
    }

    @Override
    public int hashCode() {
        return Objects.hash(counts, demands);
    }
}
