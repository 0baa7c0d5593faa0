package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.time.Rfc3339;
import java.time.Instant;
import java.util.Optional;

/// Timestamps in objects: RFC 3339 with a precision of seconds.
public final class ApiTimes {

    private ApiTimes() {}

    public static JsonString of(Instant time) {
        return Json.of(Rfc3339.write(time));
    }

    public static Optional<Instant> read(String text) {
        return Rfc3339.read(text);
    }
}
