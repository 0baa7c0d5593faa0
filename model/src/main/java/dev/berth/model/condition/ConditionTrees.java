package dev.berth.model.condition;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Conditions as trees: new ones, and updates of existing ones, whose `lastTransitionTime` is kept
/// while their status is unchanged.
///
/// Conditions made of texts have no member for an empty reason or message, as those of pods and
/// nodes. Conditions made of a record have both, as `metav1.Condition` requires.
public final class ConditionTrees {

    private static final String TIME = "lastTransitionTime";

    private ConditionTrees() {}

    /// The tree of a condition. A generation of 0 is omitted.
    public static JsonObject of(Condition condition) {
        var tree = head(condition.type(), condition.status());
        if (condition.observedGeneration() != 0) {
            tree = tree.with("observedGeneration", Json.of(condition.observedGeneration()));
        }
        if (condition.lastTransitionTime().isPresent()) {
            tree = tree.with(TIME, Json.of(condition.lastTransitionTime().get()));
        }
        return tree.with("reason", Json.of(condition.reason()))
                .with("message", Json.of(condition.message()));
    }

    /// A condition whose status changes now.
    ///
    /// @param isTrue whether the status is `True` or `False`
    public static JsonObject of(
            String type, boolean isTrue, String reason, String message, Instant now) {
        return update(List.of(), type, isTrue ? "True" : "False", reason, message, now);
    }

    /// A condition after an update.
    ///
    /// @param before all previous conditions
    /// @param now time of the transition, if the previous condition has another status or is absent
    public static JsonObject update(
            List<JsonObject> before,
            String type,
            String status,
            String reason,
            String message,
            Instant now) {
        var since =
                find(before, type)
                        .filter(one -> one.text("status").equals(status))
                        .flatMap(one -> one.member(TIME))
                        .orElseGet(() -> Json.of(now));
        var tree = head(type, status).with(TIME, since);
        if (!reason.isEmpty()) {
            tree = tree.with("reason", Json.of(reason));
        }
        return message.isEmpty() ? tree : tree.with("message", Json.of(message));
    }

    private static JsonObject head(String type, String status) {
        return JsonObject.of("type", Json.of(type)).with("status", Json.of(status));
    }

    /// The condition of a type.
    public static Optional<JsonObject> find(List<JsonObject> conditions, String type) {
        return conditions.stream().filter(one -> one.text("type").equals(type)).findFirst();
    }

    /// Updated conditions, followed by the previous ones of other types.
    public static List<JsonObject> withOthers(List<JsonObject> updated, List<JsonObject> before) {
        var all = new ArrayList<>(updated);
        before.stream().filter(one -> find(updated, one.text("type")).isEmpty()).forEach(all::add);
        return all;
    }
}
