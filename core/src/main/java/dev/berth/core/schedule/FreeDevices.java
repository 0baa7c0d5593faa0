package dev.berth.core.schedule;

import dev.berth.core.inventory.NodePool;
import dev.berth.core.place.Verdict;
import dev.berth.core.snapshot.Snapshot;
import dev.berth.model.api.DeviceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// The nodes with most or with fewest free devices.
///
/// A verdict is another object whenever anything about its node has changed, so that a count is
/// good for as long as the verdict is the same.
final class FreeDevices {

    /// Nodes whose count is remembered.
    private static final int MAX_COUNTS = 20_000;

    private record Count(Verdict verdict, long free) {}

    private final Map<String, Count> counts = new HashMap<>();

    /// Those of the fitting nodes that have fewest free devices, or most.
    List<Verdict> extreme(List<Verdict> all, Snapshot snapshot, boolean most) {
        var found = new ArrayList<Verdict>();
        var best = Long.MAX_VALUE;
        for (var verdict : all) {
            if (!(verdict instanceof Verdict.Fits)) {
                continue;
            }
            var cost = most ? -free(verdict, snapshot) : free(verdict, snapshot);
            if (cost < best) {
                found.clear();
                best = cost;
            }
            if (cost == best) {
                found.add(verdict);
            }
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // the same object stands for an unchanged node
    private long free(Verdict verdict, Snapshot snapshot) {
        var known = counts.get(verdict.node());
        if (known != null && known.verdict == verdict) {
            return known.free;
        }
        if (counts.size() >= MAX_COUNTS) {
            counts.clear();
        }
        var free = count(verdict.node(), snapshot);
        counts.put(verdict.node(), new Count(verdict, free));
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
