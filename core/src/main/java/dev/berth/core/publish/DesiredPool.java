package dev.berth.core.publish;

import dev.berth.model.api.CounterSet;
import dev.berth.model.api.Device;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.SkipNodeOperation;
import dev.berth.model.api.SliceScope;
import java.util.List;
import java.util.Optional;

/// What a driver wants a pool to be, however many slices that takes.
///
/// @param devices in the order in which they are to be published
/// @param counters on which devices draw
/// @param partitionTypeAttribute which attribute says what type of partition a device is
/// @param skipNodeOperations what nodes need not do for the devices
public record DesiredPool(
        PoolId id,
        SliceScope scope,
        List<Device> devices,
        List<CounterSet> counters,
        Optional<String> partitionTypeAttribute,
        List<SkipNodeOperation> skipNodeOperations) {

    public DesiredPool {
        devices = List.copyOf(devices);
        counters = List.copyOf(counters);
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    /// A pool of devices that need nothing special.
    public static DesiredPool of(PoolId id, SliceScope scope, List<Device> devices) {
        return new DesiredPool(id, scope, devices, List.of(), Optional.empty(), List.of());
    }

    public DesiredPool withDevices(List<Device> newDevices) {
        return new DesiredPool(
                id, scope, newDevices, counters, partitionTypeAttribute, skipNodeOperations);
    }
}
