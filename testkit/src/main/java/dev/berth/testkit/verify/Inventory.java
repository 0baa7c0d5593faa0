package dev.berth.testkit.verify;

import dev.berth.core.allocate.AllocationRequest;
import dev.berth.core.allocate.AllocatorFeature;
import dev.berth.model.api.DeviceId;
import dev.berth.model.api.NodeScope;
import dev.berth.model.api.PoolId;
import dev.berth.model.api.ResourceSlice;
import dev.berth.model.api.SliceScope;
import dev.berth.model.quantity.Quantity;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What the node can use of what is published, pool by pool.
final class Inventory {

    /// One pool.
    ///
    /// @param fault why nothing may be taken from it
    /// @param offered the devices that the node can reach, as far as their slice says
    /// @param published every device of the generation
    /// @param counters amounts by counter set and counter
    record Stock(
            Optional<String> fault,
            List<PublishedDevice> offered,
            List<PublishedDevice> published,
            Map<List<String>, Quantity> counters) {}

    private final AllocationRequest question;
    private final NodeScopeMatch reach;
    private final Map<PoolId, Stock> stocks = new TreeMap<>();

    Inventory(AllocationRequest question) {
        this.question = question;
        this.reach = new NodeScopeMatch(question.node());
        question.slices().stream()
                .map(ResourceSlice::poolId)
                .distinct()
                .forEach(id -> stockOf(id).ifPresent(stock -> stocks.put(id, stock)));
    }

    Map<PoolId, Stock> stocks() {
        return stocks;
    }

    Optional<PublishedDevice> find(DeviceId id) {
        return Optional.ofNullable(stocks.get(id.poolId())).stream()
                .flatMap(stock -> stock.offered().stream())
                .filter(spot -> spot.id().equals(id))
                .findFirst();
    }

    boolean reaches(PublishedDevice spot) {
        return spot.scope().map(reach::includes).orElse(false);
    }

    private Optional<Stock> stockOf(PoolId id) {
        var published =
                question.slices().stream().filter(slice -> slice.poolId().equals(id)).toList();
        var seen = published.stream().filter(this::isSeen).toList();
        if (seen.isEmpty()) {
            return Optional.empty();
        }
        var generation =
                seen.stream().mapToLong(one -> one.spec().pool().generation()).max().getAsLong();
        var own = ofGeneration(seen, generation);
        var expected = own.getFirst().spec().pool().resourceSliceCount();
        if (own.size() == expected) {
            return Optional.of(stock(own, own));
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
                        ? stock(own, all)
                        : new Stock(Optional.of("is incomplete"), List.of(), List.of(), Map.of()));
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
            return spots(slice).stream().anyMatch(this::reaches);
        }
        return slice.spec().scope() instanceof NodeScope scope && reach.includes(scope);
    }

    private static boolean hasGroups(ResourceSlice slice) {
        return slice.spec().devices().stream()
                .anyMatch(device ->
                        device.consumesCounters().stream()
                                .anyMatch(one -> !one.compatibilityGroups().isEmpty()));
    }

    private Stock stock(List<ResourceSlice> own, List<ResourceSlice> all) {
        var isPartitioned = has("PartitionableDevices");
        var offered =
                own.stream()
                        .filter(slice -> slice.spec().sharedCounters().isEmpty())
                        .flatMap(slice -> spots(slice).stream())
                        .toList();
        var counters = new HashMap<List<String>, Quantity>();
        var faults = new HashSet<String>();
        if (offered.stream().map(PublishedDevice::id).distinct().count() < offered.size()) {
            faults.add("names a device twice");
        }
        var published = all.stream().flatMap(slice -> spots(slice).stream()).toList();
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
            published.forEach(spot -> unknownCounters(spot, names, counters.keySet(), faults));
        }
        return new Stock(faults.stream().findFirst(), offered, published, counters);
    }

    private static void unknownCounters(
            PublishedDevice spot,
            Set<String> sets,
            Set<List<String>> counters,
            Set<String> faults) {
        for (var consumption : spot.device().consumesCounters()) {
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

    private static List<PublishedDevice> spots(ResourceSlice slice) {
        return slice.spec().devices().stream()
                .map(device -> new PublishedDevice(slice, device))
                .toList();
    }

    private boolean has(String feature) {
        return question.features().stream()
                .map(AllocatorFeature::upstreamName)
                .anyMatch(feature::equals);
    }
}
