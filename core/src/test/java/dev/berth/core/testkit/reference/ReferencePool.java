package dev.berth.core.testkit.reference;

import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A pool from the view of one node.
///
/// @param deviceSlices slices accessible from the node, in search order
/// @param otherDeviceSlices slices for other nodes, which matter only for counters
record ReferencePool(
        PoolId id,
        State state,
        List<ResourceSlice> deviceSlices,
        List<ResourceSlice> otherDeviceSlices,
        Map<String, CounterSet> counterSets) {

    enum State {
        USABLE,
        /// Slices are missing or surplus.
        INCOMPLETE,
        /// Slices are inconsistent.
        INVALID
    }

    ReferencePool {
        deviceSlices = List.copyOf(deviceSlices);
        otherDeviceSlices = List.copyOf(otherDeviceSlices);
        counterSets = Map.copyOf(counterSets);
    }

    static ReferencePool unusable(PoolId id, State state) {
        return new ReferencePool(id, state, List.of(), List.of(), Map.of());
    }

    /// The devices accessible from the node, in search order.
    List<ReferenceCandidate> candidates() {
        return candidatesOf(deviceSlices).toList();
    }

    /// All devices that may consume counters, for any node.
    List<ReferenceCandidate> counterUsers() {
        return Stream.concat(candidatesOf(deviceSlices), candidatesOf(otherDeviceSlices)).toList();
    }

    boolean hasBindingConditions() {
        return candidates().stream().anyMatch(one -> !one.device().bindingConditions().isEmpty());
    }

    private Stream<ReferenceCandidate> candidatesOf(List<ResourceSlice> slices) {
        return slices.stream()
                .flatMap(slice ->
                        slice.spec().devices().stream()
                                .map(device -> new ReferenceCandidate(this, slice, device)));
    }
}
