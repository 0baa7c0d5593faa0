package dev.berth.core.allocate.rule;

import dev.berth.core.inventory.Pool;
import java.util.Set;

/// Features of the allocator, with the names of `structured.Features` in Kubernetes.
public enum AllocatorFeature {
    ADMIN_ACCESS("AdminAccess"),
    PRIORITIZED_LIST("PrioritizedList"),
    PARTITIONABLE_DEVICES("PartitionableDevices"),
    DEVICE_TAINTS("DeviceTaints"),
    DEVICE_BINDING_AND_STATUS("DeviceBindingAndStatus"),
    CONSUMABLE_CAPACITY("ConsumableCapacity"),
    FRACTIONAL_CAPACITY_RANGE("FractionalCapacityRange"),
    LIST_TYPE_ATTRIBUTES("ListTypeAttributes"),
    OPTIONAL_NODE_OPERATIONS("OptionalNodeOperations"),
    DERIVED_ATTRIBUTES("DerivedAttributes"),
    COMPATIBILITY_GROUPS("CompatibilityGroups");

    private final String upstreamName;

    AllocatorFeature(String upstreamName) {
        this.upstreamName = upstreamName;
    }

    public String upstreamName() {
        return upstreamName;
    }

    /// The pool rules that follow from these features.
    public static Pool.Rules rules(Set<AllocatorFeature> features) {
        return new Pool.Rules(
                features.contains(PARTITIONABLE_DEVICES), features.contains(COMPATIBILITY_GROUPS));
    }
}
