package dev.berth.core.schedule;

import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.HashMap;
import java.util.Map;

/// Cache of the number of free devices per node.
///
/// A node-scoped result is another object whenever the node changes, so that a count is valid while
/// the object is the same.
final class FreeDevices {

    /// Bound of cached nodes.
    private static final int MAX_CACHED = 20_000;

    private record Count(Object scopedFit, long free) {}

    private final Map<String, Count> counts = new HashMap<>();

    @SuppressWarnings("ReferenceEquality") // an identical object means an unchanged node
    long of(Object scopedFit, String node, ClusterSnapshot snapshot) {
        var cached = counts.get(node);
        if (cached != null && cached.scopedFit == scopedFit) {
            return cached.free;
        }
        if (counts.size() >= MAX_CACHED) {
            counts.clear();
        }
        var free = snapshot.usage().freeDevices(snapshot.inventory().pools(node));
        counts.put(node, new Count(scopedFit, free));
        return free;
    }
}
