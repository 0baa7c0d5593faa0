package dev.berth.model.api.slice;

import java.util.List;
import java.util.Optional;

/// Spec of a ResourceSlice. A valid slice has devices or shared counters, not both.
public record ResourceSliceSpec(
        String driver,
        ResourcePool pool,
        SliceScope scope,
        List<Device> devices,
        List<CounterSet> sharedCounters,
        Optional<String> partitionTypeAttribute,
        List<SkipNodeOperation> skipNodeOperations) {

    public ResourceSliceSpec {
        devices = List.copyOf(devices);
        sharedCounters = List.copyOf(sharedCounters);
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    public ResourceSliceSpec withDevices(List<Device> newDevices) {
        return new ResourceSliceSpec(
                driver,
                pool,
                scope,
                newDevices,
                sharedCounters,
                partitionTypeAttribute,
                skipNodeOperations);
    }
}
