package dev.berth.core.utilisation;

import dev.berth.model.api.slice.PoolId;
import java.util.List;

/// The devices of one node, or those that several nodes can access.
///
/// @param nodes names of the nodes
/// @param isAllNodes whether all nodes of the cluster can access the devices
/// @param devices in allocation order
/// @param units share in use of each device with partitions
/// @param unusable pools without usable devices
public record NodeInventory(
        List<String> nodes,
        boolean isAllNodes,
        List<DeviceEntry> devices,
        List<CounterLeft> counters,
        List<UnitShare> units,
        List<UnusablePool> unusable) {

    /// The share in use of a device with partitions: of the most used counter of its counter set.
    public record UnitShare(PoolId pool, String counterSet, double inUse) {}

    /// Remaining and total amount of a counter of a pool.
    ///
    /// @param name counter set and counter
    public record CounterLeft(PoolId pool, String name, String left, String total) {}

    /// A pool of which no device can be allocated.
    public record UnusablePool(PoolId pool, String reason) {}

    public NodeInventory {
        nodes = List.copyOf(nodes);
        devices = List.copyOf(devices);
        counters = List.copyOf(counters);
        units = List.copyOf(units);
        unusable = List.copyOf(unusable);
    }

    /// The share in use of the device with partitions that has a counter set.
    public double counterShare(PoolId pool, String counterSet) {
        return units.stream()
                .filter(unit -> unit.pool.equals(pool) && unit.counterSet.equals(counterSet))
                .mapToDouble(UnitShare::inUse)
                .findFirst()
                .orElse(0);
    }

    public long count(DeviceEntry.State state) {
        return devices.stream().filter(device -> device.state() == state).count();
    }

    /// The inventory with only the devices that match a class.
    public NodeInventory ofClass(String deviceClass) {
        return new NodeInventory(
                nodes,
                isAllNodes,
                devices.stream().filter(one -> one.classes().contains(deviceClass)).toList(),
                List.of(),
                units,
                List.of());
    }
}
