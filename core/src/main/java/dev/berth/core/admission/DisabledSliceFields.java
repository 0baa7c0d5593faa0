package dev.berth.core.admission;

import dev.berth.core.admission.field.TreeEdits;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.core.admission.gate.Gate;
import dev.berth.core.admission.validation.DeviceValidation;
import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// Drops fields of slices whose feature gate is off, unless the old slice already uses the feature.
///
/// All fields of a feature are dropped together: a partially described partitionable device would
/// be wrong.
final class DisabledSliceFields {

    private static final List<String> PARTITIONING =
            List.of("consumesCounters", "nodeName", "nodeSelector", "allNodes");
    private static final List<String> SLICE_PARTITIONING =
            List.of("sharedCounters", "perDeviceNodeSelection");
    private static final List<String> BINDING =
            List.of("bindsToNode", "bindingConditions", "bindingFailureConditions");

    private final FeatureGates gates;

    DisabledSliceFields(FeatureGates gates) {
        this.gates = gates;
    }

    JsonObject drop(JsonObject slice, Optional<JsonObject> old) {
        var before = old.map(o -> o.objectOrEmpty("spec"));
        return TreeEdits.at(slice, spec -> dropFromSpec(spec, before), "spec");
    }

    private JsonObject dropFromSpec(JsonObject spec, Optional<JsonObject> old) {
        var result = dropFromDevices(spec, old);
        if (drops(Gate.DRA_PARTITIONABLE_DEVICES, old, DisabledSliceFields::isPartitioned)) {
            result = TreeEdits.without(result, SLICE_PARTITIONING);
            result = eachDevice(result, device -> TreeEdits.without(device, PARTITIONING));
        }
        if (drops(Gate.DRA_PARTITIONABLE_DEVICES_TYPE, old, s -> s.has("partitionTypeAttribute"))) {
            result = result.without("partitionTypeAttribute");
        }
        var skipped = List.of("skipNodeOperations");
        if (drops(
                Gate.DRA_OPTIONAL_NODE_OPERATIONS,
                old,
                s -> DisabledClaimFields.hasAny(s, skipped))) {
            result = TreeEdits.without(result, skipped);
        }
        return result;
    }

    private JsonObject dropFromDevices(JsonObject spec, Optional<JsonObject> old) {
        var result = spec;
        if (drops(Gate.DRA_DEVICE_TAINTS, old, anyDevice(List.of("taints")))) {
            result = eachDevice(result, device -> device.without("taints"));
        }
        if (!DisabledClaimFields.bindingEnabled(gates)
                && (old.isEmpty() || !anyDevice(BINDING).test(old.get()))) {
            result = eachDevice(result, device -> TreeEdits.without(device, BINDING));
        }
        if (drops(Gate.DRA_CONSUMABLE_CAPACITY, old, DisabledSliceFields::isShareable)) {
            result = eachDevice(result, DisabledSliceFields::unshared);
        }
        if (drops(Gate.DRA_DEVICE_COMPATIBILITY_GROUPS, old, DisabledSliceFields::hasGroups)) {
            result = eachDevice(result, DisabledSliceFields::ungrouped);
        }
        if (drops(
                Gate.DRA_NODE_ALLOCATABLE_RESOURCES,
                old,
                anyDevice(List.of("nodeAllocatableResources")))) {
            result = eachDevice(result, d -> d.without("nodeAllocatableResources"));
        }
        if (drops(Gate.DRA_LIST_TYPE_ATTRIBUTES, old, DisabledSliceFields::hasListAttributes)) {
            // The attribute is kept without a value, so that validation rejects it and the driver
            // notices.
            result =
                    eachDevice(
                            result,
                            device ->
                                    TreeEdits.eachEntry(
                                            device,
                                            "attributes",
                                            a ->
                                                    TreeEdits.without(
                                                            a, DeviceValidation.LIST_VALUES)));
        }
        return result;
    }

    private boolean drops(Gate gate, Optional<JsonObject> old, Predicate<JsonObject> inUse) {
        return !gates.enabled(gate) && (old.isEmpty() || !inUse.test(old.get()));
    }

    private static Predicate<JsonObject> anyDevice(List<String> names) {
        return spec ->
                spec.objects("devices").stream()
                        .anyMatch(d -> DisabledClaimFields.hasAny(d, names));
    }

    private static JsonObject eachDevice(JsonObject spec, UnaryOperator<JsonObject> change) {
        return TreeEdits.each(spec, "devices", change);
    }

    private static boolean isPartitioned(JsonObject spec) {
        return DisabledClaimFields.hasAny(spec, SLICE_PARTITIONING)
                || anyDevice(PARTITIONING).test(spec);
    }

    private static boolean isShareable(JsonObject spec) {
        return spec.objects("devices").stream()
                .anyMatch(device ->
                        device.has("allowMultipleAllocations")
                                || anyEntry(device, "capacity", List.of("requestPolicy")));
    }

    private static JsonObject unshared(JsonObject device) {
        return TreeEdits.eachEntry(
                device.without("allowMultipleAllocations"),
                "capacity",
                capacity -> capacity.without("requestPolicy"));
    }

    private static boolean hasGroups(JsonObject spec) {
        return spec.objects("devices").stream()
                .flatMap(device -> device.objects("consumesCounters").stream())
                .anyMatch(c -> DisabledClaimFields.hasAny(c, List.of("compatibilityGroups")));
    }

    private static JsonObject ungrouped(JsonObject device) {
        return TreeEdits.each(device, "consumesCounters", c -> c.without("compatibilityGroups"));
    }

    private static boolean hasListAttributes(JsonObject spec) {
        return spec.objects("devices").stream()
                .anyMatch(device -> anyEntry(device, "attributes", DeviceValidation.LIST_VALUES));
    }

    private static boolean anyEntry(JsonObject device, String map, List<String> names) {
        return device.objectOrEmpty(map).members().values().stream()
                .anyMatch(v -> v instanceof JsonObject o && names.stream().anyMatch(o::has));
    }
}
