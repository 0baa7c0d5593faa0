package dev.berth.dashboard.table;

import dev.berth.core.ledger.Holdings;
import dev.berth.core.snapshot.ClusterSnapshot;
import dev.berth.core.taint.Taints;
import dev.berth.dashboard.watch.ClusterWatch;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Rows of the table of drivers: sums over their slices.
final class DriverRows {

    /// The sums of one driver.
    private static final class Sums {
        private int slices;
        private final Set<PoolId> pools = new HashSet<>();
        private final Set<PoolId> incomplete = new HashSet<>();
        private final Set<String> nodes = new HashSet<>();
        private int devices;
        private int tainted;
        private int inUse;
    }

    private DriverRows() {}

    static List<JsonObject> of(ClusterWatch watch, ClusterSnapshot snapshot) {
        var drivers = new TreeMap<String, Sums>();
        for (var slice : watch.slices().all()) {
            add(slice, snapshot, drivers.computeIfAbsent(slice.spec().driver(), _ -> new Sums()));
        }
        return drivers.entrySet().stream().map(one -> json(one.getKey(), one.getValue())).toList();
    }

    private static void add(ResourceSlice slice, ClusterSnapshot snapshot, Sums sums) {
        var status = SlicePoolStatus.of(slice, snapshot).status();
        if (status.equals("old")) {
            return;
        }
        var isNew = sums.pools.add(slice.poolId());
        sums.slices++;
        if (!status.equals("complete")) {
            sums.incomplete.add(slice.poolId());
        }
        var node = TableRows.node(slice);
        if (!node.isEmpty()) {
            sums.nodes.add(node);
        }
        sums.devices += slice.spec().devices().size();
        for (var device : slice.spec().devices()) {
            sums.tainted += Taints.untolerated(device.taints(), List.of()).isPresent() ? 1 : 0;
        }
        if (isNew) {
            Holdings held = snapshot.usage().ledger().poolHoldings(slice.poolId()).holdings();
            sums.inUse += held.devicesOf(slice.poolId()).size();
        }
    }

    private static JsonObject json(String name, Sums sums) {
        return JsonObject.of("name", Json.of(name))
                .with("slices", Json.of(sums.slices))
                .with("pools", Json.of(sums.pools.size()))
                .with("nodes", Json.of(sums.nodes.size()))
                .with("devices", Json.of(sums.devices))
                .with("inUse", Json.of(sums.inUse))
                .with("tainted", Json.of(sums.tainted))
                .with("incompletePools", Json.of(sums.incomplete.size()));
    }
}
