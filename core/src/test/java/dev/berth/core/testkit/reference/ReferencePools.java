package dev.berth.core.testkit.reference;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.slice.CounterSet;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Collects the pools accessible from the node, in search order.
final class ReferencePools {

    private final AllocationRequest allocationRequest;
    private final ReferenceNodeScope reach;

    ReferencePools(AllocationRequest allocationRequest) {
        this.allocationRequest = allocationRequest;
        this.reach = new ReferenceNodeScope(allocationRequest.node());
    }

    List<ReferencePool> gather() {
        var relevant = new TreeMap<PoolId, List<ResourceSlice>>();
        for (var slice : allocationRequest.slices()) {
            if (isUnderstood(slice) && isRelevant(slice)) {
                relevant.computeIfAbsent(slice.poolId(), _ -> new ArrayList<>()).add(slice);
            }
        }
        var pools = new ArrayList<ReferencePool>();
        relevant.forEach((id, slices) -> poolOf(id, newest(slices)).ifPresent(pools::add));
        // The map is sorted and the sort is stable, so each half stays sorted by driver and name.
        pools.sort(Comparator.comparing(ReferencePool::hasBindingConditions));
        return pools;
    }

    private boolean isUnderstood(ResourceSlice slice) {
        if (!has(AllocatorFeature.PARTITIONABLE_DEVICES)
                && (slice.spec().scope() instanceof SliceScope.PerDevice
                        || !slice.spec().sharedCounters().isEmpty())) {
            return false;
        }
        return mayUseGroupsOf(slice);
    }

    private boolean mayUseGroupsOf(ResourceSlice slice) {
        return has(AllocatorFeature.COMPATIBILITY_GROUPS)
                || slice.spec().devices().stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .allMatch(consumption -> consumption.compatibilityGroups().isEmpty());
    }

    private boolean isRelevant(ResourceSlice slice) {
        try {
            return switch (slice.spec().scope()) {
                case NodeScope scope -> reach.reaches(scope);
                case SliceScope.PerDevice _ ->
                        slice.spec().devices().stream()
                                .anyMatch(device -> reach.reaches(device.scope()));
                case SliceScope.Unrecognised _ -> false;
            };
        } catch (AllocationFault malformed) {
            throw new AllocationFault(
                    "gather pool information: failed to perform node selection for slice %s: %s"
                            .formatted(slice.metadata().name(), malformed.fault()));
        }
    }

    private static List<ResourceSlice> newest(List<ResourceSlice> slices) {
        var generation = slices.stream().mapToLong(ReferencePools::generation).max().orElseThrow();
        return slices.stream().filter(slice -> generation(slice) == generation).toList();
    }

    private static long generation(ResourceSlice slice) {
        return slice.spec().pool().generation();
    }

    /// Empty when a newer generation without slices for the node replaces the one with slices for
    /// it.
    private Optional<ReferencePool> poolOf(PoolId id, List<ResourceSlice> relevant) {
        var expected = relevant.getFirst().spec().pool().resourceSliceCount();
        if (relevant.size() == expected) {
            return Optional.of(build(id, relevant, List.of()));
        }
        var generation = generation(relevant.getFirst());
        var everywhere =
                allocationRequest.slices().stream()
                        .filter(slice -> slice.poolId().equals(id))
                        .toList();
        if (everywhere.stream().anyMatch(slice -> generation(slice) > generation)) {
            return Optional.empty();
        }
        var current =
                everywhere.stream()
                        .filter(slice -> generation(slice) == generation)
                        .filter(this::mayUseGroupsOf)
                        .toList();
        if (current.size() != expected) {
            return Optional.of(ReferencePool.unusable(id, ReferencePool.State.INCOMPLETE));
        }
        var names = new HashSet<String>();
        relevant.forEach(slice -> names.add(slice.metadata().name()));
        var others =
                current.stream().filter(slice -> !names.contains(slice.metadata().name())).toList();
        return Optional.of(build(id, relevant, others));
    }

    private ReferencePool build(
            PoolId id, List<ResourceSlice> relevant, List<ResourceSlice> others) {
        var sorted =
                relevant.stream()
                        .sorted(Comparator.comparing(slice -> slice.metadata().name()))
                        .toList();
        if (!has(AllocatorFeature.PARTITIONABLE_DEVICES)) {
            return hasDuplicateDevice(sorted)
                    ? ReferencePool.unusable(id, ReferencePool.State.INVALID)
                    : new ReferencePool(
                            id, ReferencePool.State.USABLE, sorted, List.of(), Map.of());
        }
        var devices = sorted.stream().filter(ReferencePools::isForDevices).toList();
        var otherDevices = others.stream().filter(ReferencePools::isForDevices).toList();
        var sets =
                Stream.concat(sorted.stream(), others.stream())
                        .flatMap(slice -> slice.spec().sharedCounters().stream())
                        .toList();
        var setsByName = new HashMap<String, CounterSet>();
        sets.forEach(set -> setsByName.put(set.name(), set));
        var isInvalid =
                hasDuplicateDevice(devices)
                        || setsByName.size() < sets.size()
                        || !knowsCounters(sorted, setsByName)
                        || !knowsCounters(others, setsByName);
        return isInvalid
                ? ReferencePool.unusable(id, ReferencePool.State.INVALID)
                : new ReferencePool(
                        id, ReferencePool.State.USABLE, devices, otherDevices, setsByName);
    }

    private static boolean isForDevices(ResourceSlice slice) {
        return slice.spec().sharedCounters().isEmpty();
    }

    private static boolean hasDuplicateDevice(List<ResourceSlice> slices) {
        var seen = new HashSet<String>();
        return slices.stream()
                .flatMap(slice -> slice.spec().devices().stream())
                .anyMatch(device -> !seen.add(device.name()));
    }

    private static boolean knowsCounters(
            List<ResourceSlice> slices, Map<String, CounterSet> setsByName) {
        return slices.stream()
                .flatMap(slice -> slice.spec().devices().stream())
                .allMatch(device -> knowsCounters(device, setsByName));
    }

    private static boolean knowsCounters(Device device, Map<String, CounterSet> setsByName) {
        for (var consumption : device.consumesCounters()) {
            var set = setsByName.get(consumption.counterSet());
            if (set == null
                    || !set.counters().keySet().containsAll(consumption.counters().keySet())) {
                return false;
            }
        }
        return true;
    }

    private boolean has(AllocatorFeature feature) {
        return allocationRequest.features().contains(feature);
    }
}
