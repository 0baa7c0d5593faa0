package dev.berth.node.pod;

import dev.berth.model.json.JsonObject;
import java.util.List;
import java.util.Optional;

/// Accessors of a decision's status.
final class DecisionFields {

    private DecisionFields() {}

    static PodAction stop(String id, String name, int seconds) {
        return new PodAction.Stop(
                id,
                name,
                PodScenario.START.plusSeconds(seconds),
                "Stopping container " + name,
                Optional.empty());
    }

    static JsonObject container(PodDecision decision, String name) {
        for (var field : List.of("containerStatuses", "initContainerStatuses")) {
            for (var one : decision.status().objects(field)) {
                if (one.text("name").equals(name)) {
                    return one;
                }
            }
        }
        throw new AssertionError("no container " + name);
    }

    static String waiting(PodDecision decision, String name) {
        return container(decision, name)
                .objectOrEmpty("state")
                .objectOrEmpty("waiting")
                .text("reason");
    }

    static JsonObject terminated(PodDecision decision, String name) {
        return container(decision, name).objectOrEmpty("state").objectOrEmpty("terminated");
    }

    static String condition(PodDecision decision, String type) {
        return conditionTree(decision, type).text("status");
    }

    static JsonObject conditionTree(PodDecision decision, String type) {
        return decision.status().objects("conditions").stream()
                .filter(one -> one.text("type").equals(type))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }
}
