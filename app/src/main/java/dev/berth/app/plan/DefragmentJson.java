package dev.berth.app.plan;

import dev.berth.app.print.StructuredWriter;
import dev.berth.core.plan.Defragmentation;
import dev.berth.core.plan.defragment.DefragmentStep;
import dev.berth.core.utilisation.UtilisationJson;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;

/// Writes a defragmentation as JSON. The fields are described in docs/plan.md.
final class DefragmentJson {

    private DefragmentJson() {}

    static void write(Defragmentation result, StructuredWriter out) {
        var plan = result.plan();
        out.member("fits", Json.of(plan.unserved().isEmpty()));
        out.member("evictions", Json.of(plan.evictions().size()));
        out.array("steps", plan.steps().stream().map(DefragmentJson::of).iterator());
        out.array(
                "commands", DefragmentCommands.of(plan.steps()).stream().map(Json::of).iterator());
        out.array("fitting", plan.fitting().stream().map(DefragmentJson::of).iterator());
        out.array("pending", plan.unserved().stream().map(room -> of(room.pod())).iterator());
        out.member("limitReached", Json.of(plan.isCutShort()));
        out.member(
                "requestedClasses",
                Json.array(result.requestedClasses().stream().map(Json::of).toList()));
        out.member(
                "utilisation",
                JsonObject.of("before", UtilisationJson.of(result.before()))
                        .with("after", UtilisationJson.of(result.after())));
    }

    private static JsonObject of(DefragmentStep step) {
        return switch (step) {
            case DefragmentStep.Cordon(var node) -> action("cordon", node);
            case DefragmentStep.Uncordon(var node) -> action("uncordon", node);
            case DefragmentStep.Evict(var pod, var node, var destination, var budgeted) ->
                    named(action("evict", node), pod)
                            .with("destination", Json.of(destination))
                            .with("disruptionBudget", Json.of(budgeted));
            case DefragmentStep.Schedule(var room, var node) ->
                    named(action("schedule", node), room.pod())
                            .with("statedSize", Json.of(room.isStatedSize()));
        };
    }

    private static JsonObject action(String action, String node) {
        return JsonObject.of("action", Json.of(action)).with("node", Json.of(node));
    }

    private static JsonObject of(Pod pod) {
        return named(JsonObject.EMPTY, pod);
    }

    private static JsonObject named(JsonObject tree, Pod pod) {
        return tree.with("namespace", Json.of(pod.metadata().namespace()))
                .with("name", Json.of(pod.metadata().name()));
    }
}
