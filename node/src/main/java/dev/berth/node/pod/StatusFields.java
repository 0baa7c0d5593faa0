package dev.berth.node.pod;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// Builds timestamps and conditions of statuses.
public final class StatusFields {

    private StatusFields() {}

    public static Json time(Instant at) {
        return Json.of(at.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    /// A condition. Its `lastTransitionTime` is kept while its status is unchanged.
    ///
    /// @param before all previous conditions
    public static JsonObject condition(
            List<JsonObject> before,
            String type,
            String state,
            String reason,
            String message,
            Instant now) {
        var since =
                before.stream()
                        .filter(one -> one.text("type").equals(type))
                        .filter(one -> one.text("status").equals(state))
                        .flatMap(one -> one.member("lastTransitionTime").stream())
                        .findFirst()
                        .orElse(time(now));
        var condition =
                JsonObject.of("type", Json.of(type))
                        .with("status", Json.of(state))
                        .with("lastTransitionTime", since);
        if (!reason.isEmpty()) {
            condition = condition.with("reason", Json.of(reason));
        }
        return message.isEmpty() ? condition : condition.with("message", Json.of(message));
    }
}
