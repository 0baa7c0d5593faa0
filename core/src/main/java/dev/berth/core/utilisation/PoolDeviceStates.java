package dev.berth.core.utilisation;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.core.ledger.PoolHoldings;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The use of each device of a pool view, and the share in use of its devices with partitions.
public final class PoolDeviceStates {

    /// The use of a device, regardless of its taints.
    public enum DeviceUse {
        FREE,
        /// The counters that the device needs are used up by other devices.
        BLOCKED,
        /// A device with multiple allocations that has capacity left.
        PARTLY_USED,
        IN_USE
    }

    /// The use of a cell of a device with partitions.
    public enum CellUse {
        FREE,
        /// No free partition covers the cell.
        BLOCKED,
        IN_USE
    }

    /// The use of a device with partitions.
    ///
    /// @param inUse share in use, between 0 and 1
    public record PartitionedUse(double inUse, List<CellUse> cells) {
        public PartitionedUse {
            cells = List.copyOf(cells);
        }
    }

    private final List<DeviceUse> uses;
    private final List<PartitionedUse> partitioned;

    private PoolDeviceStates(List<DeviceUse> uses, List<PartitionedUse> partitioned) {
        this.uses = List.copyOf(uses);
        this.partitioned = List.copyOf(partitioned);
    }

    /// Computes the states of a pool view.
    ///
    /// @param layout that of the pool
    public static PoolDeviceStates of(PoolView pool, PartitionLayout layout, PoolHoldings held) {
        var holdings = held.holdings();
        var shared = new HashSet<String>();
        holdings.shares().forEach(share -> shared.add(share.device().device()));
        var left = pool.countersLeft(holdings.devicesOf(pool.id()));
        var uses = new ArrayList<DeviceUse>();
        for (var row = 0; row < pool.size(); row++) {
            uses.add(use(pool, row, holdings, shared, left));
        }
        var partitioned = new ArrayList<PartitionedUse>();
        if (!layout.devices().isEmpty()) {
            var use = PoolUse.of(layout.shape(), held, pool::row);
            for (var device : layout.devices()) {
                var unit = layout.shape().unitOfSet(device.set());
                partitioned.add(
                        new PartitionedUse(
                                unit < 0 ? 0 : use.inUse(unit), cells(device, uses, left)));
            }
        }
        return new PoolDeviceStates(uses, partitioned);
    }

    public DeviceUse use(int row) {
        return uses.get(row);
    }

    /// One entry for each device of the layout.
    public List<PartitionedUse> partitioned() {
        return partitioned;
    }

    /// The counter that a blocked device lacks; empty when none is short.
    public static Optional<String> shortCounter(PoolView pool, int row, PoolHoldings held) {
        var left = pool.countersLeft(held.holdings().devicesOf(pool.id()));
        var consumption = pool.consumption(row);
        for (var i = 0; i < consumption.counters().length; i++) {
            var counter = consumption.counters()[i];
            if (consumption.exactAmounts()[i].compareTo(left[counter]) > 0) {
                return Optional.of(pool.counters().counterName(counter));
            }
        }
        return Optional.empty();
    }

    private static DeviceUse use(
            PoolView pool, int row, Holdings held, Set<String> shared, BigInteger[] left) {
        var id = pool.device(row);
        if (held.exclusive().contains(id)) {
            return DeviceUse.IN_USE;
        }
        if (shared.contains(id.device())) {
            return share(pool, row, held) < 1 ? DeviceUse.PARTLY_USED : DeviceUse.IN_USE;
        }
        var consumption = pool.consumption(row);
        for (var i = 0; i < consumption.counters().length; i++) {
            if (consumption.exactAmounts()[i].compareTo(left[consumption.counters()[i]]) > 0) {
                return DeviceUse.BLOCKED;
            }
        }
        return DeviceUse.FREE;
    }

    /// The largest share among the consumed capacities of a device.
    private static double share(PoolView pool, int row, Holdings held) {
        var most = 0.0;
        var capacities = pool.capacities(row);
        for (var used : held.consumed().getOrDefault(pool.device(row), Map.of()).entrySet()) {
            var capacity = capacities.get(used.getKey());
            if (capacity != null && capacity.value().signum() > 0) {
                most =
                        Math.max(
                                most,
                                used.getValue().asApproximateDouble()
                                        / capacity.value().asApproximateDouble());
            }
        }
        return most;
    }

    private static List<CellUse> cells(
            PartitionedDevice device, List<DeviceUse> uses, BigInteger[] left) {
        var reachable = new HashSet<Integer>();
        for (var part : device.parts()) {
            if (uses.get(part.row()) == DeviceUse.FREE) {
                reachable.addAll(part.cells());
            }
        }
        var cells = new ArrayList<CellUse>();
        for (var i = 0; i < device.cells().size(); i++) {
            if (left[device.cells().get(i)].signum() <= 0) {
                cells.add(CellUse.IN_USE);
            } else {
                cells.add(reachable.contains(i) ? CellUse.FREE : CellUse.BLOCKED);
            }
        }
        return cells;
    }
}
