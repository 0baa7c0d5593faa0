package dev.berth.core.place;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.allocate.rule.AllocatorFeature;
import dev.berth.core.inventory.Pool;
import java.util.EnumSet;
import java.util.Set;

/// Maps feature gates to features of the allocator.
public final class PlacementFeatures {

    private PlacementFeatures() {}

    public static Set<AllocatorFeature> of(FeatureGates gates) {
        var features = EnumSet.noneOf(AllocatorFeature.class);
        for (var feature : AllocatorFeature.values()) {
            if (gates.enabled(gate(feature))) {
                features.add(feature);
            }
        }
        return features;
    }

    private static Gate gate(AllocatorFeature feature) {
        return switch (feature) {
            case ADMIN_ACCESS -> Gate.DRA_ADMIN_ACCESS;
            case PRIORITIZED_LIST -> Gate.DRA_PRIORITIZED_LIST;
            case PARTITIONABLE_DEVICES -> Gate.DRA_PARTITIONABLE_DEVICES;
            case DEVICE_TAINTS -> Gate.DRA_DEVICE_TAINTS;
            case DEVICE_BINDING_AND_STATUS -> Gate.DRA_DEVICE_BINDING_CONDITIONS;
            case CONSUMABLE_CAPACITY -> Gate.DRA_CONSUMABLE_CAPACITY;
            case FRACTIONAL_CAPACITY_RANGE -> Gate.DRA_FRACTIONAL_CAPACITY_RANGE;
            case LIST_TYPE_ATTRIBUTES -> Gate.DRA_LIST_TYPE_ATTRIBUTES;
            case OPTIONAL_NODE_OPERATIONS -> Gate.DRA_OPTIONAL_NODE_OPERATIONS;
            case DERIVED_ATTRIBUTES -> Gate.DRA_DERIVED_ATTRIBUTES;
            case COMPATIBILITY_GROUPS -> Gate.DRA_DEVICE_COMPATIBILITY_GROUPS;
        };
    }

    /// The rules by which slices are usable with these features.
    public static Pool.Rules rules(Set<AllocatorFeature> features) {
        return AllocatorFeature.rules(features);
    }
}
