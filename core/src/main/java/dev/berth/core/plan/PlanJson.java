package dev.berth.core.plan;

import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Writes a plan as JSON. The fields are described in docs/plan.md.
public final class PlanJson {

    private PlanJson() {}

    public static JsonObject of(Plan plan) {
        var tree =
                JsonObject.of("fits", Json.of(plan.everythingFits()))
                        .with(
                                "pods",
                                Json.array(plan.outcomes().stream().map(PlanJson::of).toList()))
                        .with(
                                "requestedClasses",
                                Json.array(plan.requestedClasses().stream().map(Json::of).toList()))
                        .with(
                                "utilisation",
                                JsonObject.of("before", UtilisationJson.of(plan.before()))
                                        .with("after", UtilisationJson.of(plan.after())))
                        .with("notes", Json.array(plan.notes().stream().map(Json::of).toList()));
        return plan.growth().map(growth -> tree.with("addNodes", of(growth))).orElse(tree);
    }

    private static JsonObject of(Plan.Growth growth) {
        var tree =
                JsonObject.of("node", Json.of(growth.node()))
                        .with("limit", Json.of(growth.limit()));
        return growth.needed().isPresent()
                ? tree.with("needed", Json.of(growth.needed().getAsInt()))
                : tree;
    }

    private static JsonObject of(PlannedPod outcome) {
        var tree =
                JsonObject.of("namespace", Json.of(outcome.pod().metadata().namespace()))
                        .with("name", Json.of(outcome.pod().metadata().name()));
        return switch (outcome) {
            case PlannedPod.Placed placed ->
                    tree.with("node", Json.of(placed.node()))
                            .with(
                                    "claims",
                                    Json.array(
                                            placed.claims().stream().map(PlanJson::of).toList()));
            case PlannedPod.Pending pending ->
                    tree.with("pending", Json.of(pending.summary()))
                            .with(
                                    "reasons",
                                    Json.array(
                                            pending.groups().stream().map(PlanJson::of).toList()))
                            .with(
                                    "classes",
                                    Json.array(
                                            pending.shortages().stream()
                                                    .map(PlanJson::of)
                                                    .toList()));
        };
    }

    private static JsonObject of(PlannedPod.Holding holding) {
        return JsonObject.of("name", Json.of(holding.claim().name()))
                .with("allocatedBefore", Json.of(holding.before()))
                .with("devices", Json.array(holding.devices().stream().map(PlanJson::of).toList()));
    }

    private static JsonObject of(AllocatedDevice device) {
        var tree =
                JsonObject.of("request", Json.of(device.request()))
                        .with("driver", Json.of(device.id().driver()))
                        .with("pool", Json.of(device.id().pool()))
                        .with("device", Json.of(device.id().device()));
        if (device.consumedCapacity().isEmpty()) {
            return tree;
        }
        var consumed = JsonObject.EMPTY;
        for (var entry : device.consumedCapacity().entrySet()) {
            consumed = consumed.with(entry.getKey(), Json.of(entry.getValue().toString()));
        }
        return tree.with("consumedCapacity", consumed);
    }

    private static JsonObject of(PlannedPod.Group group) {
        return JsonObject.of("reason", Json.of(group.reason()))
                .with("nodes", Json.array(group.nodes().stream().map(Json::of).toList()));
    }

    private static JsonObject of(PlannedPod.Shortage shortage) {
        return JsonObject.of("class", Json.of(shortage.deviceClass()))
                .with("requested", Json.of(shortage.requested()))
                .with("free", Json.of(shortage.free()))
                .with("total", Json.of(shortage.total()))
                .with("mostOnOneNode", Json.of(shortage.mostOnOneNode()));
    }
}
