package dev.berth.core.admission.validation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.core.admission.field.FieldErrors;
import dev.berth.core.admission.field.SemanticEquality;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;

/// Validates `nodeAllocatableResources`: resources of the node that a device consumes or adds.
final class NodeAllocatableValidation {

    private NodeAllocatableValidation() {}

    static void check(JsonObject device, FieldPath path, FieldErrors problems) {
        for (var entry : device.objectOrEmpty("nodeAllocatableResources").members().entrySet()) {
            var resource = entry.getKey();
            var at = path.key(resource);
            if (!DeviceNameValidation.isNodeAllocatable(resource)) {
                problems.add(
                        FieldError.invalid(
                                at, resource, "must be a node allocatable resource name"));
            }
            if (!(entry.getValue() instanceof JsonObject use)
                    || (!use.has("mapping") && !use.has("overhead"))) {
                problems.add(
                        FieldError.required(at, "at least one of mapping or overhead must be set"));
                continue;
            }
            use.object("mapping")
                    .ifPresent(mapping ->
                            mapping(
                                    mapping,
                                    device.objectOrEmpty("capacity"),
                                    at.child("mapping"),
                                    problems));
            use.object("overhead")
                    .ifPresent(overhead -> overhead(overhead, at.child("overhead"), problems));
        }
    }

    private static void mapping(
            JsonObject mapping, JsonObject capacities, FieldPath path, FieldErrors problems) {
        var key = mapping.string("capacityKey");
        var multiplierPath = path.child("capacityMultiplier");
        if (key.isPresent()) {
            if (key.get().isEmpty()) {
                problems.add(
                        FieldError.invalid(
                                path.child("capacityKey"),
                                "",
                                "capacityKey must not be an empty string"));
            } else if (!capacities.has(key.get())) {
                problems.add(FieldError.notFound(path.child("capacityKey"), key.get(), ""));
            }
            if (!mapping.has("capacityMultiplier")) {
                problems.covered(
                        FieldError.required(
                                multiplierPath,
                                "capacityMultiplier is required when capacityKey is set"));
            } else {
                positive(mapping, "capacityMultiplier", path, problems);
            }
        } else if (mapping.has("capacityMultiplier")) {
            problems.covered(
                    FieldError.required(
                            path.child("capacityKey"),
                            "capacityKey is required when capacityMultiplier is set"));
        }
        positive(mapping, "deviceMultiplier", path, problems);
    }

    private static void positive(
            JsonObject holder, String name, FieldPath path, FieldErrors problems) {
        var amount = holder.member(name).flatMap(SemanticEquality::quantity);
        if (amount.map(Quantity::signum).orElse(1) <= 0) {
            problems.add(
                    FieldError.invalid(
                            path.child(name), amount.get().toString(), "must be positive"));
        }
    }

    private static void overhead(JsonObject overhead, FieldPath path, FieldErrors problems) {
        if (!overhead.has("perPod") && !overhead.has("perContainer")) {
            problems.add(
                    FieldError.invalid(
                            path, "", "at least one of perPod or perContainer must be set"));
            return;
        }
        notNegative(overhead, "perPod", path, problems);
        notNegative(overhead, "perContainer", path, problems);
    }

    static void notNegative(JsonObject holder, String name, FieldPath path, FieldErrors problems) {
        var amount = holder.member(name).flatMap(SemanticEquality::quantity);
        if (amount.map(Quantity::signum).orElse(0) < 0) {
            problems.add(
                    FieldError.invalid(
                            path.child(name), amount.get().toString(), "must be non-negative"));
        }
    }
}
