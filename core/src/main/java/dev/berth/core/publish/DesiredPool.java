package dev.berth.core.publish;

import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.SkipNodeOperation;
import dev.berth.model.api.slice.SliceScope;
import java.util.List;
import java.util.Optional;

/// The pool that a driver wants to publish, independent of its number of slices.
///
/// @param devices in the order of publication
/// @param counters that devices consume
/// @param partitionTypeAttribute the attribute that names the partition type of a device
/// @param skipNodeOperations operations that kubelets may skip for the devices
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

    /// A pool without counters and other options.
    public static DesiredPool of(PoolId id, SliceScope scope, List<Device> devices) {
        return new DesiredPool(id, scope, devices, List.of(), Optional.empty(), List.of());
    }

    public DesiredPool withDevices(List<Device> newDevices) {
        return new DesiredPool(
                id, scope, newDevices, counters, partitionTypeAttribute, skipNodeOperations);
    }
}
