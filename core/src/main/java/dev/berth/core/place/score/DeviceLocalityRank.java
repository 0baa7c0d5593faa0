package dev.berth.core.place.score;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import java.util.HashSet;
import java.util.List;

/// Ranks nodes by the number of NUMA nodes, then of PCIe roots, over which the devices are
/// distributed.
public final class DeviceLocalityRank implements NodeRank {

    /// More than any number of PCIe roots.
    private static final long NUMA_WEIGHT = 10_000;

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        var pools = node.pools();
        var roots = new HashSet<List<String>>();
        var numas = new HashSet<List<Long>>();
        for (var result : results) {
            for (var device : result.devices()) {
                for (var pool : pools) {
                    if (pool.id().equals(device.id().poolId())) {
                        pool.row(device.id().device())
                                .ifPresent(row -> {
                                    var locality = DeviceLocality.of(pool.attributes(row));
                                    roots.add(locality.pcieRoots());
                                    numas.add(locality.numaNodes());
                                });
                    }
                }
            }
        }
        return (long) numas.size() * results.size() * NUMA_WEIGHT + roots.size();
    }
}
