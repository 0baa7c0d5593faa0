package dev.berth.dashboard.fleet;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.utilisation.PartitionLayout;
import java.util.List;
import java.util.stream.IntStream;

/// Devices of one pool that belong to one row of the fleet.
///
/// @param rows rows of the pool view
/// @param layout devices with partitions of the whole view
record DeviceSection(PoolView pool, List<Integer> rows, PartitionLayout layout) {

    DeviceSection {
        rows = List.copyOf(rows);
    }

    static DeviceSection all(PoolView pool) {
        return of(pool, IntStream.range(0, pool.size()).boxed().toList());
    }

    static DeviceSection of(PoolView pool, List<Integer> rows) {
        return new DeviceSection(pool, rows, PartitionLayout.of(pool));
    }

    /// Whether all devices of the pool are in the section; only then are partitions drawn.
    boolean isWhole() {
        return rows.size() == pool.size();
    }
}
