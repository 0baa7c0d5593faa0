package dev.berth.server.registry;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.time.Instant;

/// A column of the table that `kubectl get` prints.
///
/// @param type `string`, `integer`, `date`, …
/// @param format `name` for the object's name; may be empty
/// @param priority 0 is always shown, others with `-o wide`
public record TableColumn(
        String name, String type, String format, String description, int priority, Cell cell) {

    /// The value of the column for an object.
    @FunctionalInterface
    public interface Cell {
        Json of(JsonObject object, Instant now);
    }
}
