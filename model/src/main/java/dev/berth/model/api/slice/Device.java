package dev.berth.model.api.slice;

import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A device of a ResourceSlice: whole, a partition, or a function.
///
/// Attributes and capacities keep their names as written: `memory` and `gpu.example.com/memory` are
/// the same to a selector of driver `gpu.example.com`, but not to a capacity request.
public record Device(
        String name,
        Map<String, AttributeValue> attributes,
        Map<String, DeviceCapacity> capacity,
        List<DeviceCounterConsumption> consumesCounters,
        DeviceScope scope,
        List<DeviceTaint> taints,
        Optional<Boolean> bindsToNode,
        List<String> bindingConditions,
        List<String> bindingFailureConditions,
        Optional<Boolean> allowMultipleAllocations,
        Map<String, NodeAllocatableResource> nodeAllocatableResources) {

    public Device {
        attributes = OrderedMap.copyOf(attributes);
        capacity = OrderedMap.copyOf(capacity);
        consumesCounters = List.copyOf(consumesCounters);
        taints = List.copyOf(taints);
        bindingConditions = List.copyOf(bindingConditions);
        bindingFailureConditions = List.copyOf(bindingFailureConditions);
        nodeAllocatableResources = OrderedMap.copyOf(nodeAllocatableResources);
    }

    /// A device with only a name.
    public static Device named(String name) {
        return new Device(
                name,
                Map.of(),
                Map.of(),
                List.of(),
                new DeviceScope.AsSlice(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                Optional.empty(),
                Map.of());
    }

    /// True when several claims can hold shares of this device.
    public boolean isShareable() {
        return allowMultipleAllocations.orElse(false);
    }

    public Device withAttributes(Map<String, AttributeValue> newAttributes) {
        return with(copy -> copy.attributes = newAttributes);
    }

    public Device withCapacity(Map<String, DeviceCapacity> newCapacity) {
        return with(copy -> copy.capacity = newCapacity);
    }

    public Device withConsumesCounters(List<DeviceCounterConsumption> newConsumesCounters) {
        return with(copy -> copy.consumesCounters = newConsumesCounters);
    }

    /// The same device without node-allocatable resources.
    public Device withoutNodeAllocatableResources() {
        return with(copy -> copy.nodeAllocatableResources = Map.of());
    }

    /// The same device with multiple allocations enabled.
    public Device withMultipleAllocations() {
        return with(copy -> copy.allowMultipleAllocations = Optional.of(true));
    }

    public Device withTaints(List<DeviceTaint> newTaints) {
        return with(copy -> copy.taints = newTaints);
    }

    private Device with(Consumer<Copy> change) {
        var copy = new Copy(this);
        change.accept(copy);
        return copy.build();
    }

    /// The components by name, for copies with changes.
    private static final class Copy {
        private String name;
        private Map<String, AttributeValue> attributes;
        private Map<String, DeviceCapacity> capacity;
        private List<DeviceCounterConsumption> consumesCounters;
        private DeviceScope scope;
        private List<DeviceTaint> taints;
        private Optional<Boolean> bindsToNode;
        private List<String> bindingConditions;
        private List<String> bindingFailureConditions;
        private Optional<Boolean> allowMultipleAllocations;
        private Map<String, NodeAllocatableResource> nodeAllocatableResources;

        Copy(Device from) {
            name = from.name;
            attributes = from.attributes;
            capacity = from.capacity;
            consumesCounters = from.consumesCounters;
            scope = from.scope;
            taints = from.taints;
            bindsToNode = from.bindsToNode;
            bindingConditions = from.bindingConditions;
            bindingFailureConditions = from.bindingFailureConditions;
            allowMultipleAllocations = from.allowMultipleAllocations;
            nodeAllocatableResources = from.nodeAllocatableResources;
        }

        Device build() {
            return new Device(
                    name,
                    attributes,
                    capacity,
                    consumesCounters,
                    scope,
                    taints,
                    bindsToNode,
                    bindingConditions,
                    bindingFailureConditions,
                    allowMultipleAllocations,
                    nodeAllocatableResources);
        }
    }
}
