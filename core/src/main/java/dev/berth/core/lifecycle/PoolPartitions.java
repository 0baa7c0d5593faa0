package dev.berth.core.lifecycle;

import dev.berth.model.api.meta.QualifiedName;
import dev.berth.model.api.slice.AttributeValue;
import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.PoolStatus;
import dev.berth.model.api.slice.ResourceSlice;
import dev.berth.model.quantity.Quantity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// The partitionable devices of a pool by their type: how many there are, and how many of each type
/// could still be allocated if no other type were requested.
record PoolPartitions(List<PoolStatus.PartitionSummary> summary, Optional<String> error) {

    private static final int MAX_TYPES = 32;
    private static final PoolPartitions NONE = new PoolPartitions(List.of(), Optional.empty());

    /// A counter of a counter set.
    private record Counter(String set, String name) {}

    /// A partition type.
    private record Type(String attribute, String value) {}

    static PoolPartitions of(
            List<ResourceSlice> slices, Set<String> allocated, Optional<String> byDefault) {
        var isDeclared =
                slices.stream().anyMatch(one -> one.spec().partitionTypeAttribute().isPresent());
        var types =
                new TreeMap<Type, List<Device>>(
                        Comparator.comparing(Type::attribute).thenComparing(Type::value));
        for (var slice : slices) {
            var attribute =
                    slice.spec()
                            .partitionTypeAttribute()
                            .or(() -> isDeclared ? Optional.empty() : byDefault);
            if (attribute.isEmpty()) {
                continue;
            }
            for (var device : slice.spec().devices()) {
                if (!device.consumesCounters().isEmpty()) {
                    var value = value(device, attribute.get(), slice.spec().driver());
                    if (value.isEmpty()) {
                        return failed(
                                "PartitionTypeMissing: device %s has no string attribute %s"
                                        .formatted(device.name(), attribute.get()));
                    }
                    types.computeIfAbsent(
                                    new Type(attribute.get(), value.get()), _ -> new ArrayList<>())
                            .add(device);
                }
            }
        }
        return types.isEmpty() ? NONE : summed(types, slices, allocated);
    }

    private static Optional<String> value(Device device, String attribute, String driver) {
        var wanted = QualifiedName.of(attribute, driver);
        for (var entry : device.attributes().entrySet()) {
            if (QualifiedName.of(entry.getKey(), driver).equals(wanted)
                    && entry.getValue() instanceof AttributeValue.StringValue(var text)) {
                return Optional.of(text);
            }
        }
        return Optional.empty();
    }

    private static PoolPartitions summed(
            Map<Type, List<Device>> types, List<ResourceSlice> slices, Set<String> allocated) {
        var left = left(slices, allocated);
        if (slices.stream().allMatch(slice -> slice.spec().sharedCounters().isEmpty())) {
            return failed("PartitionTypeMissing: the pool has no shared counters");
        }
        if (types.size() > MAX_TYPES) {
            return failed(
                    "PartitionSummaryOverCap: %d partition types, at most %d are reported"
                            .formatted(types.size(), MAX_TYPES));
        }
        var summary = new ArrayList<PoolStatus.PartitionSummary>();
        for (var type : types.entrySet()) {
            var devices = type.getValue();
            if (devices.stream().map(PoolPartitions::cost).distinct().count() > 1) {
                return failed(
                        "PartitionCostMismatch: devices of type %s consume different counters"
                                .formatted(type.getKey().value()));
            }
            summary.add(
                    new PoolStatus.PartitionSummary(
                            type.getKey().value(),
                            OptionalLong.of(devices.size()),
                            OptionalLong.of(fitting(devices, left, allocated)),
                            type.getKey().attribute()));
        }
        return new PoolPartitions(summary, Optional.empty());
    }

    private static PoolPartitions failed(String error) {
        return new PoolPartitions(List.of(), Optional.of(error));
    }

    private static Map<Counter, Quantity> left(List<ResourceSlice> slices, Set<String> allocated) {
        var left = new HashMap<Counter, Quantity>();
        for (var slice : slices) {
            for (var set : slice.spec().sharedCounters()) {
                set.counters()
                        .forEach((name, value) -> left.put(new Counter(set.name(), name), value));
            }
        }
        for (var slice : slices) {
            for (var device : slice.spec().devices()) {
                if (allocated.contains(device.name())) {
                    cost(device).forEach((counter, value) -> consume(left, counter, value));
                }
            }
        }
        return left;
    }

    private static void consume(Map<Counter, Quantity> left, Counter counter, Quantity value) {
        left.computeIfPresent(counter, (_, before) -> before.minus(value));
    }

    private static Map<Counter, Quantity> cost(Device device) {
        var cost = new LinkedHashMap<Counter, Quantity>();
        for (var consumption : device.consumesCounters()) {
            consumption
                    .counters()
                    .forEach((name, value) ->
                            cost.put(new Counter(consumption.counterSet(), name), value));
        }
        return cost;
    }

    /// How many of these devices can be allocated one after the other.
    private static long fitting(
            List<Device> devices, Map<Counter, Quantity> atFirst, Set<String> allocated) {
        var left = new HashMap<>(atFirst);
        var count = 0;
        for (var device : devices) {
            var cost = cost(device);
            if (!allocated.contains(device.name()) && fits(cost, left)) {
                cost.forEach((counter, value) -> consume(left, counter, value));
                count++;
            }
        }
        return count;
    }

    private static boolean fits(Map<Counter, Quantity> cost, Map<Counter, Quantity> left) {
        return cost.entrySet().stream()
                .allMatch(one ->
                        left.getOrDefault(one.getKey(), Quantity.ZERO).compareTo(one.getValue())
                                >= 0);
    }
}
