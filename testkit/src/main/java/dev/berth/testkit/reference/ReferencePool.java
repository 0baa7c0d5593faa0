package dev.berth.testkit.reference;

import dev.berth.model.api.CounterSet;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A pool as one node sees it.
///
/// @param deviceSlices what the node can reach, in the order of visiting
/// @param otherDeviceSlices what only other nodes can reach; it matters for counters alone
record ReferencePool(
        PoolId id,
        State state,
        List<ResourceSlice> deviceSlices,
        List<ResourceSlice> otherDeviceSlices,
        Map<String, CounterSet> counterSets) {

    enum State {
        USABLE,
        /// Slices are missing, or there are too many.
        INCOMPLETE,
        /// Slices contradict each other.
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

    /// The devices that the node can reach, in the order of visiting.
    List<ReferenceCandidate> candidates() {
        return candidatesOf(deviceSlices).toList();
    }

    /// Every device that draws on the counters, whichever nodes can reach it.
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
