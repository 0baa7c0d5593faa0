package dev.berth.core.inventory;

import dev.berth.model.api.slice.Device;
import dev.berth.model.api.slice.DeviceCounterConsumption;
import dev.berth.model.api.slice.DeviceScope;
import dev.berth.model.api.slice.NodeAllocatableResource;
import dev.berth.model.api.taint.DeviceTaint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The properties of a device except its name, attributes and capacities. Devices of one model
/// mostly have equal traits, so few instances exist.
public record DeviceTraits(
        List<DeviceCounterConsumption> consumes,
        DeviceScope scope,
        List<DeviceTaint> taints,
        boolean bindsToNode,
        List<String> bindingConditions,
        List<String> bindingFailureConditions,
        boolean shareable,
        Map<String, NodeAllocatableResource> nodeAllocatable) {

    static DeviceTraits of(Device device) {
        return new DeviceTraits(
                device.consumesCounters(),
                device.scope(),
                device.taints(),
                device.bindsToNode().orElse(false),
                device.bindingConditions(),
                device.bindingFailureConditions(),
                device.isShareable(),
                device.nodeAllocatableResources());
    }

    DeviceTraits tainted(List<DeviceTaint> more) {
        var all = new ArrayList<>(taints);
        all.addAll(more);
        return new DeviceTraits(
                consumes,
                scope,
                List.copyOf(all),
                bindsToNode,
                bindingConditions,
                bindingFailureConditions,
                shareable,
                nodeAllocatable);
    }

    boolean declaresGroups() {
        for (var consumption : consumes) {
            if (!consumption.compatibilityGroups().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
