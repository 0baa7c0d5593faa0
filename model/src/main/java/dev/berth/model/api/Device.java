package dev.berth.model.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        return new Device(
                name,
                newAttributes,
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

    public Device withCapacity(Map<String, DeviceCapacity> newCapacity) {
        return new Device(
                name,
                attributes,
                newCapacity,
                consumesCounters,
                scope,
                taints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                allowMultipleAllocations,
                nodeAllocatableResources);
    }

    public Device withConsumesCounters(List<DeviceCounterConsumption> newConsumesCounters) {
        return new Device(
                name,
                attributes,
                capacity,
                newConsumesCounters,
                scope,
                taints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                allowMultipleAllocations,
                nodeAllocatableResources);
    }

    /// The same device without node-allocatable resources.
    public Device withoutNodeAllocatableResources() {
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
                Map.of());
    }

    /// The same device with multiple allocations enabled.
    public Device withMultipleAllocations() {
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
                Optional.of(true),
                nodeAllocatableResources);
    }

    public Device withTaints(List<DeviceTaint> newTaints) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters,
                scope,
                newTaints,
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                allowMultipleAllocations,
                nodeAllocatableResources);
    }
}
