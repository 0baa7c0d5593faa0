package dev.berth.drivers.sim;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;

/// Builders of common fields in API objects: timestamps in microseconds, string maps.
final class ObjectFieldBuilders {

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ObjectFieldBuilders() {}

    static Json microTime(Instant at) {
        return Json.of(MICROS.format(at));
    }

    static JsonObject texts(Map<String, String> texts) {
        var members = new LinkedHashMap<String, Json>();
        texts.forEach((name, text) -> members.put(name, Json.of(text)));
        return new JsonObject(members);
    }
}
