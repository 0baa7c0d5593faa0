package dev.berth.core.place.score;

import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.place.EvaluationContext;
import dev.berth.core.snapshot.NodeView;
import dev.berth.model.api.claim.AllocationResult;
import dev.berth.model.api.claim.ShareId;
import dev.berth.model.api.slice.DeviceId;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Ranks nodes by the number of NUMA nodes, then of PCIe roots, over which the devices are
/// distributed, then by the free devices that remain in these roots. Devices without a location
/// rank equal everywhere.
public final class DeviceLocalityRank implements NodeRank {

    /// More than any number of free devices in the roots of a pod.
    private static final long ROOT_WEIGHT = 1_000_000;

    /// More than any number of PCIe roots.
    private static final long NUMA_WEIGHT = 1_000 * ROOT_WEIGHT;

    @Override
    public long cost(EvaluationContext context, NodeView node, List<AllocationResult> results) {
        var roots = new HashSet<String>();
        var numas = new HashSet<Long>();
        var chosen = new HashSet<DeviceId>();
        for (var result : results) {
            for (var device : result.devices()) {
                chosen.add(device.id());
                locality(node, device.id())
                        .ifPresent(locality -> {
                            addFewest(roots, locality.pcieRoots());
                            addFewest(numas, locality.numaNodes());
                        });
            }
        }
        return numas.size() * NUMA_WEIGHT
                + roots.size() * ROOT_WEIGHT
                + (roots.isEmpty() ? 0 : spare(node, roots, chosen));
    }

    private static Optional<DeviceLocality> locality(NodeView node, DeviceId device) {
        for (var pool : node.pools()) {
            if (pool.id().equals(device.poolId())) {
                return pool.row(device.device())
                        .map(row -> DeviceLocality.of(pool.attributes(row)));
            }
        }
        return Optional.empty();
    }

    /// A device near several locations, as a CPU, needs a further one only if it is near none of
    /// those that are used already.
    private static <T> void addFewest(Set<T> used, List<T> locations) {
        if (!locations.isEmpty() && locations.stream().noneMatch(used::contains)) {
            used.add(locations.getFirst());
        }
    }

    /// Free devices of these roots that the pod does not get.
    private static long spare(NodeView node, Set<String> roots, Set<DeviceId> chosen) {
        var holdings = node.holdings();
        var taken = new HashSet<>(chosen);
        taken.addAll(holdings.exclusive());
        taken.addAll(holdings.consumed().keySet());
        holdings.shares().stream().map(ShareId::device).forEach(taken::add);
        var spare = 0L;
        for (var pool : node.pools()) {
            spare += spare(pool, roots, taken);
        }
        return spare;
    }

    private static long spare(PoolView pool, Set<String> roots, Set<DeviceId> taken) {
        var spare = 0L;
        for (var row = 0; row < pool.size(); row++) {
            if (DeviceLocality.of(pool.attributes(row)).pcieRoots().stream()
                            .anyMatch(roots::contains)
                    && !taken.contains(pool.device(row))) {
                spare++;
            }
        }
        return spare;
    }
}
