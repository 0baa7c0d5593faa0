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
    private static final int MAX_COUNTS = 20_000;

    private record Count(Object said, long free) {}

    private final Map<String, Count> counts = new HashMap<>();

    @SuppressWarnings("ReferenceEquality") // the same object stands for an unchanged node
    long of(Object said, String node, ClusterSnapshot snapshot) {
        var known = counts.get(node);
        if (known != null && known.said == said) {
            return known.free;
        }
        if (counts.size() >= MAX_COUNTS) {
            counts.clear();
        }
        var free = snapshot.occupancy().freeDevices(snapshot.fleet().pools(node));
        counts.put(node, new Count(said, free));
        return free;
    }
}
