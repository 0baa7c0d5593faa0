package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// Builders of common fields in API objects: timestamps, conditions, string maps.
final class ObjectFieldBuilders {

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ObjectFieldBuilders() {}

    static Json time(Instant at) {
        return Json.of(at.truncatedTo(ChronoUnit.SECONDS).toString());
    }

    static Json microTime(Instant at) {
        return Json.of(MICROS.format(at));
    }

    static JsonObject condition(
            String type, boolean isTrue, String reason, String message, Instant now) {
        var condition =
                JsonObject.of("type", Json.of(type))
                        .with("status", Json.of(isTrue ? "True" : "False"))
                        .with("lastTransitionTime", time(now));
        if (!reason.isEmpty()) {
            condition = condition.with("reason", Json.of(reason));
        }
        return message.isEmpty() ? condition : condition.with("message", Json.of(message));
    }

    static JsonObject texts(Map<String, String> texts) {
        var members = new LinkedHashMap<String, Json>();
        texts.forEach((name, text) -> members.put(name, Json.of(text)));
        return new JsonObject(members);
    }
}
