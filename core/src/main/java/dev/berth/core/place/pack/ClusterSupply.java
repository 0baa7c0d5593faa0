package dev.berth.core.place.pack;

import dev.berth.core.inventory.CounterConsumption;
import dev.berth.core.inventory.PoolView;
import dev.berth.core.snapshot.ClusterInventory;
import dev.berth.model.api.slice.PoolId;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// Devices of a cluster by request kind, allocated or not. Follows changes of pools.
final class ClusterSupply {

    /// One device, in millionths. Sums are integers, so that their order does not matter.
    static final long UNIT = 1_000_000;

    /// A capacity that devices of a class publish.
    record CapacityName(String className, String name) {}

    /// The devices of a pool.
    private static final class Totals {
        final Map<Integer, long[]> byKind = new HashMap<>();
        final Map<CapacityName, Long> largest = new HashMap<>();
    }

    private final RequestKindIndex kinds;
    private final Map<PoolId, Totals> pools = new HashMap<>();
    private final Map<Integer, long[]> byKind = new HashMap<>();
    private final Map<CapacityName, TreeMap<Long, Integer>> capacities = new HashMap<>();

    ClusterSupply(RequestKindIndex kinds, ClusterInventory inventory, ClusterInventory empty) {
        this.kinds = kinds;
        inventory.poolChangesSince(empty, pool -> update(pool, inventory));
    }

    /// Counts the devices of a pool again.
    void update(PoolId id, ClusterInventory inventory) {
        var before = pools.remove(id);
        if (before != null) {
            count(before, -1);
        }
        var view = inventory.pool(id).flatMap(pool -> pool.clusterView());
        if (view.isPresent()) {
            var totals = totals(view.get());
            pools.put(id, totals);
            count(totals, 1);
        }
    }

    private void count(Totals totals, int sign) {
        totals.byKind.forEach((kind, sums) -> {
            var all = byKind.computeIfAbsent(kind, _ -> new long[2]);
            all[0] += sign * sums[0];
            all[1] += sign * sums[1];
        });
        totals.largest.forEach((name, amount) -> {
            var counts = capacities.computeIfAbsent(name, _ -> new TreeMap<>());
            if (counts.merge(amount, sign, Integer::sum) == 0) {
                counts.remove(amount);
            }
        });
    }

    private Totals totals(PoolView pool) {
        var totals = new Totals();
        for (var row = 0; row < pool.size(); row++) {
            var size = Math.round(size(pool, pool.consumption(row)) * UNIT);
            var served = kinds.of(pool.slice(row), pool.rowInSlice(row));
            for (var kind = served.nextSetBit(0); kind >= 0; kind = served.nextSetBit(kind + 1)) {
                var sums = totals.byKind.computeIfAbsent(kind, _ -> new long[2]);
                sums[0]++;
                sums[1] += size;
                var className = kinds.kind(kind).className();
                if (kinds.kind(kind).selectors().isEmpty() && pool.traits(row).shareable()) {
                    pool.capacities(row)
                            .forEach((name, capacity) ->
                                    totals.largest.merge(
                                            new CapacityName(className, name),
                                            capacity.value().milliRoundedUp(),
                                            Math::max));
                }
            }
        }
        return totals;
    }

    /// The fraction of its counters that a device consumes, as a mean; 1 for a device without
    /// counters.
    static double size(PoolView pool, CounterConsumption consumption) {
        var sum = 0.0;
        for (var i = 0; i < consumption.counters().length; i++) {
            var total = pool.counters().total(consumption.counters()[i]).doubleValue();
            sum += total > 0 ? consumption.exactAmounts()[i].doubleValue() / total : 0;
        }
        return consumption.counters().length == 0 ? 1 : sum / consumption.counters().length;
    }

    /// The summed size of the devices that can serve a kind.
    double devices(int kind) {
        return (double) byKind.getOrDefault(kind, new long[2])[1] / UNIT;
    }

    /// The mean size of these devices; 1 if there are none.
    double meanSize(int kind) {
        var sums = byKind.getOrDefault(kind, new long[2]);
        return sums[0] == 0 ? 1 : (double) sums[1] / UNIT / sums[0];
    }

    /// The largest capacity with a name among shareable devices of a class; zero if there is none.
    long largestCapacity(CapacityName name) {
        var counts = capacities.get(name);
        return counts == null || counts.isEmpty() ? 0 : counts.lastKey();
    }
}
