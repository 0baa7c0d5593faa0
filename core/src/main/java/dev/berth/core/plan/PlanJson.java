package dev.berth.core.plan;

import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.api.claim.AllocatedDevice;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonMemberSink;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonTreeSink;
import java.util.stream.Collectors;

/// Writes a plan as JSON. The fields are described in docs/plan.md.
public final class PlanJson {

    private PlanJson() {}

    /// The plan as one tree.
    public static JsonObject of(Plan plan) {
        var sink = new JsonTreeSink();
        write(plan, sink);
        return sink.tree();
    }

    /// Writes the members of a plan, one pod at a time.
    public static void write(Plan plan, JsonMemberSink out) {
        out.member("fits", Json.of(plan.everythingFits()));
        out.array("pods", plan.outcomes().stream().map(one -> of(plan, one)).iterator());
        out.member(
                "requestedClasses",
                Json.array(plan.requestedClasses().stream().map(Json::of).toList()));
        out.member(
                "utilisation",
                JsonObject.of("before", UtilisationJson.of(plan.before()))
                        .with("after", UtilisationJson.of(plan.after())));
        out.member("workloads", Json.array(plan.workloads().stream().map(PlanJson::of).toList()));
        out.member("notes", Json.array(plan.notes().stream().map(Json::of).toList()));
        plan.growth().ifPresent(growth -> out.member("addNodes", of(growth)));
    }

    /// The fields of a single kind are those of the sum.
    private static JsonObject of(Plan.Growth growth) {
        var kinds =
                growth.added().stream()
                        .map(one ->
                                JsonObject.of("node", Json.of(one.kind()))
                                        .with("limit", Json.of(one.limit()))
                                        .with("count", Json.of(one.count())))
                        .toList();
        var names = growth.added().stream().map(Plan.Added::kind).collect(Collectors.joining(","));
        var tree =
                JsonObject.of("node", Json.of(names))
                        .with("limit", Json.of(growth.limit()))
                        .with("kinds", Json.array(kinds));
        return growth.isEnough() ? tree.with("needed", Json.of(growth.total())) : tree;
    }

    private static JsonObject of(PlanInput.Workload workload) {
        return JsonObject.of("name", Json.of(workload.name()))
                .with("existing", Json.of(workload.existing()))
                .with("planned", Json.of(workload.planned()));
    }

    private static JsonObject of(Plan plan, PlannedPod outcome) {
        var tree = of(outcome);
        var removed = plan.displaced().get(outcome.pod().ref());
        return removed == null ? tree : tree.with("removedNode", Json.of(removed));
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
