package dev.berth.model.codec.mapping;

import static dev.berth.model.codec.record.CollectionTypes.list;
import static dev.berth.model.codec.record.ScalarTypes.QUANTITY;
import static dev.berth.model.codec.record.ScalarTypes.WORD;

import dev.berth.model.api.slice.CapacityRequestPolicy;
import dev.berth.model.api.slice.CapacityRequestPolicy.AnyAmount;
import dev.berth.model.api.slice.CapacityRequestPolicy.ValidRange;
import dev.berth.model.api.slice.CapacityRequestPolicy.ValidValues;
import dev.berth.model.api.slice.NodeAllocatableMapping;
import dev.berth.model.api.slice.NodeAllocatableMapping.PerCapacity;
import dev.berth.model.api.slice.NodeAllocatableMapping.PerDevice;
import dev.berth.model.api.slice.NodeAllocatableOverhead;
import dev.berth.model.api.slice.NodeAllocatableResource;
import dev.berth.model.codec.record.DecodedFields;
import dev.berth.model.codec.record.MappingBuilder;
import dev.berth.model.codec.record.RecordMapping;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Mappings of capacities, request policies and node-allocatable resources.
final class CapacityMappings {

    private record Range(Optional<Quantity> min, Optional<Quantity> max, Optional<Quantity> step) {}

    private static final RecordMapping<Range> RANGE =
            RecordMapping.of(f -> {
                var min = f.pointer("min", QUANTITY, Range::min);
                var max = f.pointer("max", QUANTITY, Range::max);
                var step = f.pointer("step", QUANTITY, Range::step);
                return in -> new Range(in.get(min), in.get(max), in.get(step));
            });

    static final RecordMapping<CapacityRequestPolicy> POLICY =
            RecordMapping.of(CapacityMappings::policy);

    private static Function<DecodedFields, CapacityRequestPolicy> policy(
            MappingBuilder<CapacityRequestPolicy> f) {
        var byDefault = f.pointer("default", QUANTITY, CapacityRequestPolicy::defaultAmount);
        var values =
                f.optional(
                        "validValues",
                        list(QUANTITY),
                        p -> p instanceof ValidValues valid ? valid.values() : List.of());
        var range =
                f.pointer(
                        "validRange",
                        RANGE,
                        p ->
                                p instanceof ValidRange(_, var min, var max, var step)
                                        ? Optional.of(new Range(Optional.of(min), max, step))
                                        : Optional.empty());
        f.rest(p ->
                p instanceof CapacityRequestPolicy.Unrecognised(_, var raw)
                        ? raw
                        : JsonObject.EMPTY);
        return in -> {
            var amount = in.get(byDefault);
            var valid = in.get(values);
            var within = in.get(range);
            if (within.isEmpty()) {
                return valid.isEmpty() ? new AnyAmount(amount) : new ValidValues(amount, valid);
            }
            var min = within.get().min;
            return valid.isEmpty() && min.isPresent()
                    ? new ValidRange(amount, min.get(), within.get().max, within.get().step)
                    : new CapacityRequestPolicy.Unrecognised(amount, in.raw(values, range));
        };
    }

    private static final RecordMapping<NodeAllocatableMapping> MAPPING =
            RecordMapping.of(CapacityMappings::mapping);

    private static Function<DecodedFields, NodeAllocatableMapping> mapping(
            MappingBuilder<NodeAllocatableMapping> f) {
        var key =
                f.pointer(
                        "capacityKey",
                        WORD,
                        m ->
                                m instanceof PerCapacity(var name, _)
                                        ? Optional.of(name)
                                        : Optional.empty());
        var perUnit =
                f.pointer(
                        "capacityMultiplier",
                        QUANTITY,
                        m ->
                                m instanceof PerCapacity(_, var factor)
                                        ? Optional.of(factor)
                                        : Optional.empty());
        var perDevice =
                f.pointer(
                        "deviceMultiplier",
                        QUANTITY,
                        m ->
                                m instanceof PerDevice(var factor)
                                        ? Optional.of(factor)
                                        : Optional.empty());
        f.rest(m ->
                m instanceof NodeAllocatableMapping.Unrecognised(var raw) ? raw : JsonObject.EMPTY);
        return in -> {
            var name = in.get(key);
            var unit = in.get(perUnit);
            var device = in.get(perDevice);
            if (name.isPresent() && unit.isPresent() && device.isEmpty()) {
                return new PerCapacity(name.get(), unit.get());
            }
            return device.isPresent() && name.isEmpty() && unit.isEmpty()
                    ? new PerDevice(device.get())
                    : new NodeAllocatableMapping.Unrecognised(in.raw(key, perUnit, perDevice));
        };
    }

    private static final RecordMapping<NodeAllocatableOverhead> OVERHEAD =
            RecordMapping.of(f -> {
                var pod = f.pointer("perPod", QUANTITY, NodeAllocatableOverhead::perPod);
                var container =
                        f.pointer("perContainer", QUANTITY, NodeAllocatableOverhead::perContainer);
                return in -> new NodeAllocatableOverhead(in.get(pod), in.get(container));
            });

    static final RecordMapping<NodeAllocatableResource> NODE_ALLOCATABLE =
            RecordMapping.of(f -> {
                var mapping = f.pointer("mapping", MAPPING, NodeAllocatableResource::mapping);
                var overhead = f.pointer("overhead", OVERHEAD, NodeAllocatableResource::overhead);
                return in -> new NodeAllocatableResource(in.get(mapping), in.get(overhead));
            });

    private CapacityMappings() {}
}
