package dev.berth.core.admission;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.JsonObject;
import dev.berth.model.quantity.Quantity;

/// The rules for what a device takes from or brings to the resources of its node.
final class NodeAllocatable {

    private NodeAllocatable() {}

    static void check(JsonObject device, FieldPath path, Problems problems) {
        for (var entry : device.objectOrEmpty("nodeAllocatableResources").members().entrySet()) {
            var resource = entry.getKey();
            var at = path.key(resource);
            if (!Names.isNodeAllocatable(resource)) {
                problems.add(
                        Problem.invalid(at, resource, "must be a node allocatable resource name"));
            }
            if (!(entry.getValue() instanceof JsonObject use)
                    || (!use.has("mapping") && !use.has("overhead"))) {
                problems.add(
                        Problem.required(at, "at least one of mapping or overhead must be set"));
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
            JsonObject mapping, JsonObject capacities, FieldPath path, Problems problems) {
        var key = mapping.string("capacityKey");
        var multiplierPath = path.child("capacityMultiplier");
        if (key.isPresent()) {
            if (key.get().isEmpty()) {
                problems.add(
                        Problem.invalid(
                                path.child("capacityKey"),
                                "",
                                "capacityKey must not be an empty string"));
            } else if (!capacities.has(key.get())) {
                problems.add(Problem.notFound(path.child("capacityKey"), key.get(), ""));
            }
            if (!mapping.has("capacityMultiplier")) {
                problems.covered(
                        Problem.required(
                                multiplierPath,
                                "capacityMultiplier is required when capacityKey is set"));
            } else {
                positive(mapping, "capacityMultiplier", path, problems);
            }
        } else if (mapping.has("capacityMultiplier")) {
            problems.covered(
                    Problem.required(
                            path.child("capacityKey"),
                            "capacityKey is required when capacityMultiplier is set"));
        }
        positive(mapping, "deviceMultiplier", path, problems);
    }

    private static void positive(
            JsonObject holder, String name, FieldPath path, Problems problems) {
        var amount = holder.member(name).flatMap(Semantics::quantity);
        if (amount.map(Quantity::signum).orElse(1) <= 0) {
            problems.add(
                    Problem.invalid(path.child(name), amount.get().toString(), "must be positive"));
        }
    }

    private static void overhead(JsonObject overhead, FieldPath path, Problems problems) {
        if (!overhead.has("perPod") && !overhead.has("perContainer")) {
            problems.add(
                    Problem.invalid(
                            path, "", "at least one of perPod or perContainer must be set"));
            return;
        }
        notNegative(overhead, "perPod", path, problems);
        notNegative(overhead, "perContainer", path, problems);
    }

    static void notNegative(JsonObject holder, String name, FieldPath path, Problems problems) {
        var amount = holder.member(name).flatMap(Semantics::quantity);
        if (amount.map(Quantity::signum).orElse(0) < 0) {
            problems.add(
                    Problem.invalid(
                            path.child(name), amount.get().toString(), "must be non-negative"));
        }
    }
}
