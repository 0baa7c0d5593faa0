package dev.berth.core.schedule;

import dev.berth.core.inventory.NodePool;
import dev.berth.core.snapshot.Snapshot;
import dev.berth.model.api.DeviceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The nodes with most or with fewest free devices.
///
/// What a node says for itself is another object whenever anything about the node has changed, so
/// that a count is good for as long as the node says the same.
final class FreeDevices {

    /// Nodes whose count is remembered.
    private static final int MAX_COUNTS = 20_000;

    private record Count(Object said, long free) {}

    private final Map<String, Count> counts = new HashMap<>();

    /// Those of some nodes that have fewest free devices, or most.
    <T> List<T> extreme(
            List<T> fitting, Function<T, String> name, Snapshot snapshot, boolean most) {
        var found = new ArrayList<T>();
        var best = Long.MAX_VALUE;
        for (var one : fitting) {
            var free = free(one, name.apply(one), snapshot);
            var cost = most ? -free : free;
            if (cost < best) {
                found.clear();
                best = cost;
            }
            if (cost == best) {
                found.add(one);
            }
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // the same object stands for an unchanged node
    private long free(Object said, String node, Snapshot snapshot) {
        var known = counts.get(node);
        if (known != null && known.said == said) {
            return known.free;
        }
        if (counts.size() >= MAX_COUNTS) {
            counts.clear();
        }
        var free = count(node, snapshot);
        counts.put(node, new Count(said, free));
        return free;
    }

    private static long count(String node, Snapshot snapshot) {
        var seen = snapshot.fleet().pools(node);
        var ids = seen.stream().map(NodePool::id).toList();
        var held = snapshot.occupancy().ledger().holdings(ids);
        var shared = new HashSet<DeviceId>();
        held.shares().forEach(share -> shared.add(share.device()));
        var total = seen.stream().mapToLong(NodePool::size).sum();
        return total - held.exclusive().size() - shared.size();
    }
}
