package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Validates one device of a slice.
public final class DeviceValidation {

    public static final List<String> LIST_VALUES = List.of("ints", "bools", "strings", "versions");
    static final List<String> VALUES =
            List.of("int", "bool", "string", "version", "ints", "bools", "strings", "versions");
    static final int MAX_CONSUMPTIONS = 2;

    private static final int MAX_ATTRIBUTES_AND_CAPACITIES = 32;
    private static final int MAX_ATTRIBUTE_VALUES = 48;
    private static final int MAX_TAINTS = 16;

    /// Longer names are abbreviated in the middle in field paths. No valid name is longer.
    private static final int MAX_KEY_IN_PATH =
            DeviceNameValidation.DRIVER_MAX + 1 + DeviceNameValidation.IDENTIFIER_MAX;

    private final FeatureGates gates;
    private final boolean ownNodes;
    private final Map<String, JsonObject> oldByName = new HashMap<>();
    private final FieldErrors problems;

    /// @param ownNodes whether the slice has `perDeviceNodeSelection`
    DeviceValidation(
            FeatureGates gates,
            boolean ownNodes,
            List<JsonObject> oldDevices,
            FieldErrors problems) {
        this.gates = gates;
        this.ownNodes = ownNodes;
        this.problems = problems;
        oldDevices.forEach(device -> oldByName.putIfAbsent(device.text("name"), device));
    }

    void check(JsonObject device, FieldPath path) {
        var old = Optional.ofNullable(oldByName.get(device.text("name")));
        problems.addAll(DeviceNameValidation.label(device.text("name"), path.child("name")));
        sizes(device, path);
        attributes(device.objectOrEmpty("attributes"), path.child("attributes"));
        if (old.isEmpty() || !SemanticEquality.sameMember("capacity", old.get(), device)) {
            capacities(device, path.child("capacity"));
        }
        if (old.isEmpty() || !SemanticEquality.sameMember("taints", old.get(), device)) {
            problems.list(
                    device.objects("taints"),
                    MAX_TAINTS,
                    path.child("taints"),
                    FieldErrors.Cover.NOTHING,
                    (taint, at) -> TaintValidation.taint(taint, Optional.empty(), at, problems));
        }
        problems.set(
                device.objects("consumesCounters"),
                MAX_CONSUMPTIONS,
                path.child("consumesCounters"),
                FieldErrors.Cover.SIZE_AND_UNIQUENESS,
                this::consumption,
                consumption -> Json.of(consumption.text("counterSet")));
        nodes(device, path);
        BindingConditionValidation.check(device, path, problems);
        NodeAllocatableValidation.check(device, path.child("nodeAllocatableResources"), problems);
    }

    private void sizes(JsonObject device, FieldPath path) {
        var attributes = device.objectOrEmpty("attributes").members();
        var entries = attributes.size() + device.objectOrEmpty("capacity").members().size();
        if (entries > MAX_ATTRIBUTES_AND_CAPACITIES) {
            problems.add(
                    FieldError.invalid(
                            path,
                            Json.of(entries),
                            "the total number of attributes and capacities must not exceed "
                                    + MAX_ATTRIBUTES_AND_CAPACITIES));
        }
        var values = 0;
        for (var attribute : attributes.values()) {
            values += attribute instanceof JsonObject value ? valuesIn(value) : 1;
        }
        if (values > MAX_ATTRIBUTE_VALUES) {
            problems.add(
                    FieldError.invalid(
                            path,
                            Json.of(values),
                            "the total number of attribute values must not exceed "
                                    + MAX_ATTRIBUTE_VALUES));
        }
    }

    private static int valuesIn(JsonObject attribute) {
        var items = 0;
        for (var name : LIST_VALUES) {
            items += attribute.items(name).size();
        }
        return Math.max(items, 1);
    }

    private void attributes(JsonObject attributes, FieldPath path) {
        for (var entry : attributes.members().entrySet()) {
            problems.addAll(DeviceNameValidation.qualified(entry.getKey(), path));
            if (entry.getValue() instanceof JsonObject attribute) {
                attribute(attribute, path.key(shortened(entry.getKey())));
            }
        }
    }

    static String shortened(String key) {
        if (key.length() <= MAX_KEY_IN_PATH) {
            return key;
        }
        var remaining = MAX_KEY_IN_PATH - "...".length();
        return key.substring(0, (remaining + 1) / 2)
                + "..."
                + key.substring(key.length() - remaining / 2);
    }

    private void attribute(JsonObject attribute, FieldPath path) {
        attribute
                .string("string")
                .ifPresent(text ->
                        problems.addAll(
                                DeviceNameValidation.attributeText(text, path.child("string"))));
        attribute
                .string("version")
                .ifPresent(text ->
                        problems.addAll(DeviceNameValidation.version(text, path.child("version"))));
        for (var name : LIST_VALUES) {
            if (attribute.has(name) && attribute.items(name).isEmpty()) {
                problems.add(
                        FieldError.invalid(
                                path.child(name),
                                Json.JsonArray.EMPTY,
                                "must not be empty if specified"));
            }
        }
        var strings = attribute.strings("strings");
        for (var i = 0; i < strings.size(); i++) {
            problems.allCovered(
                    DeviceNameValidation.attributeText(
                            strings.get(i), path.child("strings").index(i)));
        }
        var versions = attribute.strings("versions");
        for (var i = 0; i < versions.size(); i++) {
            problems.addAll(
                    DeviceNameValidation.version(versions.get(i), path.child("versions").index(i)));
        }
        var set = VALUES.stream().filter(attribute::has).count();
        if (set != 1) {
            problems.covered(
                    FieldError.invalid(
                            path,
                            set == 0 ? Json.of("") : attribute,
                            "exactly one value must be specified"));
        }
    }

    private void capacities(JsonObject device, FieldPath path) {
        var shareable = device.flag("allowMultipleAllocations").orElse(false);
        for (var entry : device.objectOrEmpty("capacity").members().entrySet()) {
            problems.addAll(DeviceNameValidation.qualified(entry.getKey(), path));
            if (!(entry.getValue() instanceof JsonObject capacity)
                    || !capacity.has("requestPolicy")) {
                continue;
            }
            var policyPath = path.key(shortened(entry.getKey())).child("requestPolicy");
            if (shareable) {
                new RequestPolicyValidation(gates, problems).check(capacity, policyPath);
            } else {
                problems.add(
                        FieldError.forbidden(policyPath, "allowMultipleAllocations must be true"));
            }
        }
    }

    private void consumption(JsonObject consumption, FieldPath path) {
        var set = consumption.text("counterSet");
        problems.allCovered(
                set.isEmpty()
                        ? List.of(FieldError.required(path.child("counterSet")))
                        : DeviceNameValidation.label(set, path.child("counterSet")));
        SliceValidation.counters(consumption, path.child("counters"), problems);
    }

    private void nodes(JsonObject device, FieldPath path) {
        if (!ownNodes) {
            if (device.has("nodeName") || device.has("nodeSelector") || device.has("allNodes")) {
                problems.add(
                        FieldError.invalid(
                                path,
                                JsonNull.INSTANCE,
                                "`nodeName`, `nodeSelector` and `allNodes` can only be set if "
                                        + "`perDeviceNodeSelection` is set to true in the "
                                        + "ResourceSlice spec"));
            }
            return;
        }
        var set = new ArrayList<String>();
        device.string("nodeName")
                .ifPresent(name -> {
                    if (name.isEmpty()) {
                        problems.add(
                                FieldError.invalid(
                                        path.child("nodeName"), name, "must not be empty"));
                    } else {
                        set.add("`nodeName`");
                        problems.addAll(
                                DeviceNameValidation.subdomain(name, path.child("nodeName")));
                    }
                });
        device.object("nodeSelector")
                .ifPresent(selector -> {
                    set.add("`nodeSelector`");
                    NodeSelectorValidation.check(selector, path.child("nodeSelector"), problems);
                });
        SliceValidation.trueOrUnset(device, "allNodes", path, set, problems);
        var choice =
                "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when "
                        + "`perDeviceNodeSelection` is set to true in the ResourceSlice spec";
        if (set.isEmpty()) {
            problems.add(FieldError.required(path, choice));
        } else if (set.size() > 1) {
            problems.add(FieldError.invalid(path, "{" + String.join(", ", set) + "}", choice));
        }
    }
}
