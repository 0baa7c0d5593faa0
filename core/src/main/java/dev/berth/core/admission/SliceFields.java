package dev.berth.core.admission;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Drops the fields of slices whose feature is off, unless the old slice uses the feature already.
///
/// Of a feature everything goes or nothing: half a partitioned device would be worse than none.
final class SliceFields {

    private static final List<String> PARTITIONING =
            List.of("consumesCounters", "nodeName", "nodeSelector", "allNodes");
    private static final List<String> SLICE_PARTITIONING =
            List.of("sharedCounters", "perDeviceNodeSelection");
    private static final List<String> BINDING =
            List.of("bindsToNode", "bindingConditions", "bindingFailureConditions");

    private final FeatureGates gates;

    SliceFields(FeatureGates gates) {
        this.gates = gates;
    }

    JsonObject drop(JsonObject slice, Optional<JsonObject> old) {
        var before = old.map(o -> o.objectOrEmpty("spec"));
        return Trees.at(slice, spec -> dropFromSpec(spec, before), "spec");
    }

    private JsonObject dropFromSpec(JsonObject spec, Optional<JsonObject> old) {
        var result = dropFromDevices(spec, old);
        if (drops(Gate.DRA_PARTITIONABLE_DEVICES, old, SliceFields::isPartitioned)) {
            result = Trees.without(result, SLICE_PARTITIONING);
            result = eachDevice(result, device -> Trees.without(device, PARTITIONING));
        }
        if (drops(Gate.DRA_PARTITIONABLE_DEVICES_TYPE, old, s -> s.has("partitionTypeAttribute"))) {
            result = result.without("partitionTypeAttribute");
        }
        var skipped = List.of("skipNodeOperations");
        if (drops(Gate.DRA_OPTIONAL_NODE_OPERATIONS, old, s -> ClaimFields.hasAny(s, skipped))) {
            result = Trees.without(result, skipped);
        }
        return result;
    }

    private JsonObject dropFromDevices(JsonObject spec, Optional<JsonObject> old) {
        var result = spec;
        if (drops(Gate.DRA_DEVICE_TAINTS, old, anyDevice(List.of("taints")))) {
            result = eachDevice(result, device -> device.without("taints"));
        }
        if (!ClaimFields.bindingEnabled(gates)
                && (old.isEmpty() || !anyDevice(BINDING).test(old.get()))) {
            result = eachDevice(result, device -> Trees.without(device, BINDING));
        }
        if (drops(Gate.DRA_CONSUMABLE_CAPACITY, old, SliceFields::isShareable)) {
            result = eachDevice(result, SliceFields::unshared);
        }
        if (drops(Gate.DRA_DEVICE_COMPATIBILITY_GROUPS, old, SliceFields::hasGroups)) {
            result = eachDevice(result, SliceFields::ungrouped);
        }
        if (drops(
                Gate.DRA_NODE_ALLOCATABLE_RESOURCES,
                old,
                anyDevice(List.of("nodeAllocatableResources")))) {
            result = eachDevice(result, d -> d.without("nodeAllocatableResources"));
        }
        if (drops(Gate.DRA_LIST_TYPE_ATTRIBUTES, old, SliceFields::hasListAttributes)) {
            // The attribute stays without a value and is then refused: a driver shall hear of it.
            result =
                    eachDevice(
                            result,
                            device ->
                                    Trees.eachEntry(
                                            device,
                                            "attributes",
                                            a -> Trees.without(a, Devices.LIST_VALUES)));
        }
        return result;
    }

    private boolean drops(Gate gate, Optional<JsonObject> old, Predicate<JsonObject> inUse) {
        return !gates.enabled(gate) && (old.isEmpty() || !inUse.test(old.get()));
    }

    private static Predicate<JsonObject> anyDevice(List<String> names) {
        return spec -> spec.objects("devices").stream().anyMatch(d -> ClaimFields.hasAny(d, names));
    }

    private static JsonObject eachDevice(JsonObject spec, UnaryOperator<JsonObject> change) {
        return Trees.each(spec, "devices", change);
    }

    private static boolean isPartitioned(JsonObject spec) {
        return ClaimFields.hasAny(spec, SLICE_PARTITIONING) || anyDevice(PARTITIONING).test(spec);
    }

    private static boolean isShareable(JsonObject spec) {
        return spec.objects("devices").stream()
                .anyMatch(device ->
                        device.has("allowMultipleAllocations")
                                || anyEntry(device, "capacity", List.of("requestPolicy")));
    }

    private static JsonObject unshared(JsonObject device) {
        return Trees.eachEntry(
                device.without("allowMultipleAllocations"),
                "capacity",
                capacity -> capacity.without("requestPolicy"));
    }

    private static boolean hasGroups(JsonObject spec) {
        return spec.objects("devices").stream()
                .flatMap(device -> device.objects("consumesCounters").stream())
                .anyMatch(c -> ClaimFields.hasAny(c, List.of("compatibilityGroups")));
    }

    private static JsonObject ungrouped(JsonObject device) {
        return Trees.each(device, "consumesCounters", c -> c.without("compatibilityGroups"));
    }

    private static boolean hasListAttributes(JsonObject spec) {
        return spec.objects("devices").stream()
                .anyMatch(device -> anyEntry(device, "attributes", Devices.LIST_VALUES));
    }

    private static boolean anyEntry(JsonObject device, String map, List<String> names) {
        return device.objectOrEmpty(map).members().values().stream()
                .anyMatch(v -> v instanceof JsonObject o && names.stream().anyMatch(o::has));
    }
}
