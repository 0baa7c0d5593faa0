package dev.berth.core.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.model.api.slice.DeviceId;
import dev.berth.model.api.slice.NodeScope;
import dev.berth.model.api.slice.PoolId;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.api.slice.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The published devices that are accessible from the node, by pool.
final class Inventory {

    /// The devices and counters of one pool.
    ///
    /// @param fault why the pool is unusable
    /// @param accessible devices accessible from the node by the scope of their slice
    /// @param published all devices of the generation
    /// @param counters amounts by counter set and counter
    record PoolInventory(
            Optional<String> fault,
            List<PublishedDevice> accessible,
            List<PublishedDevice> published,
            Map<List<String>, Quantity> counters) {}

    private final AllocationRequest allocationRequest;
    private final NodeScopeMatch reach;
    private final Map<PoolId, PoolInventory> poolInventories = new TreeMap<>();

    Inventory(AllocationRequest allocationRequest) {
        this.allocationRequest = allocationRequest;
        this.reach = new NodeScopeMatch(allocationRequest.node());
        allocationRequest.slices().stream()
                .map(ResourceSlice::poolId)
                .distinct()
                .forEach(id ->
                        poolInventoryOf(id)
                                .ifPresent(
                                        poolInventory -> poolInventories.put(id, poolInventory)));
    }

    Map<PoolId, PoolInventory> poolInventories() {
        return poolInventories;
    }

    Optional<PublishedDevice> find(DeviceId id) {
        return Optional.ofNullable(poolInventories.get(id.poolId())).stream()
                .flatMap(poolInventory -> poolInventory.accessible().stream())
                .filter(published -> published.id().equals(id))
                .findFirst();
    }

    boolean reaches(PublishedDevice published) {
        return published.scope().map(reach::includes).orElse(false);
    }

    private Optional<PoolInventory> poolInventoryOf(PoolId id) {
        var published =
                allocationRequest.slices().stream()
                        .filter(slice -> slice.poolId().equals(id))
                        .toList();
        var seen = published.stream().filter(this::isSeen).toList();
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        var generation =
                seen.stream().mapToLong(one -> one.spec().pool().generation()).max().getAsLong();
        var own = ofGeneration(seen, generation);
        var expected = own.getFirst().spec().pool().resourceSliceCount();
        if (own.size() == expected) {
            return Optional.of(poolInventory(own, own));
        }
        if (published.stream().anyMatch(one -> one.spec().pool().generation() > generation)) {
            return Optional.empty();
        }
        var all =
                ofGeneration(published, generation).stream()
                        .filter(slice -> !hasGroups(slice) || has("CompatibilityGroups"))
                        .toList();
        return Optional.of(
                all.size() == expected
                        ? poolInventory(own, all)
                        : new PoolInventory(
                                Optional.of("is incomplete"), List.of(), List.of(), Map.of()));
    }

    private static List<ResourceSlice> ofGeneration(List<ResourceSlice> slices, long generation) {
        return slices.stream()
                .filter(slice -> slice.spec().pool().generation() == generation)
                .toList();
    }

    private boolean isSeen(ResourceSlice slice) {
        var needsPartitions =
                slice.spec().scope() instanceof SliceScope.PerDevice
                        || !slice.spec().sharedCounters().isEmpty();
        if ((needsPartitions && !has("PartitionableDevices"))
                || (hasGroups(slice) && !has("CompatibilityGroups"))) {
            return false;
        }
        if (slice.spec().scope() instanceof SliceScope.PerDevice) {
            return publishedDevices(slice).stream().anyMatch(this::reaches);
        }
        return slice.spec().scope() instanceof NodeScope scope && reach.includes(scope);
    }

    private static boolean hasGroups(ResourceSlice slice) {
        return slice.spec().devices().stream()
                .anyMatch(device ->
                        device.consumesCounters().stream()
                                .anyMatch(one -> !one.compatibilityGroups().isEmpty()));
    }

    private PoolInventory poolInventory(List<ResourceSlice> own, List<ResourceSlice> all) {
        var isPartitioned = has("PartitionableDevices");
        var accessible =
                own.stream()
                        .filter(slice -> slice.spec().sharedCounters().isEmpty())
                        .flatMap(slice -> publishedDevices(slice).stream())
                        .toList();
        var counters = new HashMap<List<String>, Quantity>();
        var faults = new HashSet<String>();
        if (accessible.stream().map(PublishedDevice::id).distinct().count() < accessible.size()) {
            faults.add("names a device twice");
        }
        var published = all.stream().flatMap(slice -> publishedDevices(slice).stream()).toList();
        if (isPartitioned) {
            var sets = all.stream().flatMap(slice -> slice.spec().sharedCounters().stream());
            var names = new HashSet<String>();
            sets.forEach(set -> {
                if (!names.add(set.name())) {
                    faults.add("names counter set " + set.name() + " twice");
                }
                set.counters()
                        .forEach((name, amount) -> counters.put(List.of(set.name(), name), amount));
            });
            published.forEach(one -> unknownCounters(one, names, counters.keySet(), faults));
        }
        return new PoolInventory(faults.stream().findFirst(), accessible, published, counters);
    }

    private static void unknownCounters(
            PublishedDevice published,
            Set<String> sets,
            Set<List<String>> counters,
            Set<String> faults) {
        for (var consumption : published.device().consumesCounters()) {
            var set = consumption.counterSet();
            var unknown =
                    consumption.counters().keySet().stream()
                            .filter(name -> !counters.contains(List.of(set, name)))
                            .collect(Collectors.toSet());
            if (!sets.contains(set) || !unknown.isEmpty()) {
                faults.add("lacks counters " + unknown + " of set " + set);
            }
        }
    }

    private static List<PublishedDevice> publishedDevices(ResourceSlice slice) {
        return slice.spec().devices().stream()
                .map(device -> new PublishedDevice(slice, device))
                .toList();
    }

    private boolean has(String feature) {
        return allocationRequest.features().stream()
                .map(AllocatorFeature::upstreamName)
                .anyMatch(feature::equals);
    }
}
