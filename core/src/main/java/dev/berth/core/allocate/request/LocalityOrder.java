package dev.berth.core.allocate.request;

import dev.berth.core.allocate.state.NodeDevices;
import dev.berth.core.inventory.DeviceLocality;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.claim.ShareId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// Search order of [dev.berth.core.allocate.DeviceOrder#ALIGNED]: devices of NUMA nodes and PCIe
/// roots with few free devices first. The first aligned allocation in this order leaves the least
/// spare capacity.
public final class LocalityOrder {

    private LocalityOrder() {}

    /// The order of devices; empty when none publishes its location.
    public static Optional<int[]> of(NodeDevices devices, Holdings holdings) {
        var held = new HashSet<>(holdings.exclusive());
        holdings.shares().stream().map(ShareId::device).forEach(held::add);
        held.addAll(holdings.consumed().keySet());
        var localities = new ArrayList<DeviceLocality>(devices.size());
        var freeByNuma = new HashMap<List<Long>, Integer>();
        var freeByRoot = new HashMap<List<String>, Integer>();
        var isKnown = false;
        for (var device = 0; device < devices.size(); device++) {
            var locality = DeviceLocality.of(devices.pool(device).attributes(devices.row(device)));
            localities.add(locality);
            isKnown |= !locality.numaNodes().isEmpty() || !locality.pcieRoots().isEmpty();
            if (!held.contains(devices.id(device))) {
                freeByNuma.merge(locality.numaNodes(), 1, Integer::sum);
                freeByRoot.merge(locality.pcieRoots(), 1, Integer::sum);
            }
        }
        return isKnown
                ? Optional.of(ordered(localities, freeByNuma, freeByRoot))
                : Optional.empty();
    }

    private static int[] ordered(
            List<DeviceLocality> localities,
            Map<List<Long>, Integer> freeByNuma,
            Map<List<String>, Integer> freeByRoot) {
        return IntStream.range(0, localities.size())
                .boxed()
                .sorted(
                        Comparator.<Integer>comparingInt(device ->
                                        freeByRoot.getOrDefault(
                                                localities.get(device).pcieRoots(), 0))
                                .thenComparingInt(device ->
                                        freeByNuma.getOrDefault(
                                                localities.get(device).numaNodes(), 0)))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
