package dev.berth.app.bench.scheduling;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import java.util.Optional;

/// Finds fields that the cluster drops, because it does not know them or their feature gate is off.
/// A shape whose fields are dropped cannot be measured.
final class ServerDroppedFields {

    private ServerDroppedFields() {}

    /// The path of the first field that is missing.
    static Optional<String> field(String path, Json sent, Json kept) {
        return switch (sent) {
            case JsonObject object ->
                    kept instanceof JsonObject other
                            ? member(path, object, other)
                            : Optional.of(path);
            case JsonArray array ->
                    kept instanceof JsonArray other ? item(path, array, other) : Optional.of(path);
            default -> Optional.empty();
        };
    }

    private static Optional<String> member(String path, JsonObject sent, JsonObject kept) {
        for (var name : sent.names()) {
            var place = path + "." + name;
            var missing =
                    kept.has(name)
                            ? field(place, sent.memberOrNull(name), kept.memberOrNull(name))
                            : Optional.of(place);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> item(String path, JsonArray sent, JsonArray kept) {
        for (var i = 0; i < sent.items().size(); i++) {
            var place = "%s[%d]".formatted(path, i);
            var missing =
                    i < kept.items().size()
                            ? field(place, sent.items().get(i), kept.items().get(i))
                            : Optional.of(place);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }
}
