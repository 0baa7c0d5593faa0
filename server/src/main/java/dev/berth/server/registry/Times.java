package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonString;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Points in time as objects spell them: RFC 3339 in seconds.
public final class Times {

    private Times() {}

    public static JsonString of(Instant time) {
        return Json.of(DateTimeFormatter.ISO_INSTANT.format(time.truncatedTo(ChronoUnit.SECONDS)));
    }

    public static Optional<Instant> read(String text) {
        try {
            return Optional.of(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }
}
