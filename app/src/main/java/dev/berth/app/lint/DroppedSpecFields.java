package dev.berth.app.lint;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// Finds fields of a spec that the API server would drop.
final class DroppedSpecFields {

    private DroppedSpecFields() {}

    static List<FieldPath> from(JsonObject written, JsonObject stored) {
        var paths = new ArrayList<FieldPath>();
        compare(
                written.objectOrEmpty("spec"),
                stored.objectOrEmpty("spec"),
                FieldPath.of("spec"),
                paths);
        return paths;
    }

    private static void compare(Json written, Json stored, FieldPath path, List<FieldPath> paths) {
        switch (written) {
            case JsonObject before when stored instanceof JsonObject after ->
                    before.members()
                            .forEach((name, value) -> {
                                var at = path.child(name);
                                if (after.has(name)) {
                                    compare(value, after.member(name).orElseThrow(), at, paths);
                                } else if (!isEmpty(value)) {
                                    paths.add(at);
                                }
                            });
            case JsonArray before when stored instanceof JsonArray after -> {
                for (var i = 0; i < Math.min(before.size(), after.size()); i++) {
                    compare(before.items().get(i), after.items().get(i), path.index(i), paths);
                }
            }
            default -> {}
        }
    }

    private static boolean isEmpty(Json value) {
        return switch (value) {
            case JsonObject object -> object.isEmpty();
            case JsonArray array -> array.size() == 0;
            case Json.JsonString(var text) -> text.isEmpty();
            case Json.JsonNull _ -> true;
            case Json.JsonBool _ -> false;
            case JsonNumber _ -> false;
        };
    }
}
