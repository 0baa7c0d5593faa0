package dev.berth.core.schedule;

import dev.berth.core.snapshot.ClusterSnapshot;
import java.util.HashMap;
import java.util.Map;

/// How many devices of a node nobody holds.
///
/// What a node says for itself is another object whenever anything about the node has changed, so
/// that a count is good for as long as the node says the same.
final class FreeDevices {

    /// Nodes whose count is remembered.
    private static final int MAX_CACHED = 20_000;

    private record Count(Object scopedFit, long free) {}

    private final Map<String, Count> counts = new HashMap<>();

    @SuppressWarnings("ReferenceEquality") // the same object stands for an unchanged node
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
