package dev.berth.dashboard.table;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/// An object without the fields that the dashboard never sends: environment variables, opaque
/// parameters, managed fields, and annotations with earlier versions of the object.
record Redaction(JsonObject object, List<String> omitted) {

    private static final String LAST_APPLIED = "last-applied-configuration";

    Redaction {
        omitted = List.copyOf(omitted);
    }

    static Redaction of(JsonObject object) {
        var omitted = new ArrayList<String>();
        return new Redaction(object(object, "", omitted), omitted);
    }

    private static JsonObject object(JsonObject object, String path, List<String> omitted) {
        var next = object;
        for (var name : object.names()) {
            var at = path.isEmpty() ? name : path + "." + name;
            var value = object.member(name).orElseThrow();
            if (isOmitted(name, path, value)) {
                next = next.without(name);
                omitted.add(at);
            } else {
                next = next.with(name, value(value, at, omitted));
            }
        }
        return next;
    }

    private static boolean isOmitted(String name, String path, Json value) {
        return switch (name) {
            case "env", "envFrom" -> value instanceof Json.JsonArray;
            case "parameters" -> path.equals("opaque") || path.endsWith(".opaque");
            case "managedFields" -> path.endsWith("metadata");
            default -> name.endsWith(LAST_APPLIED) && path.endsWith("annotations");
        };
    }

    private static Json value(Json value, String path, List<String> omitted) {
        return switch (value) {
            case JsonObject object -> object(object, path, omitted);
            case Json.JsonArray array -> {
                var items = new ArrayList<Json>();
                for (var i = 0; i < array.size(); i++) {
                    items.add(value(array.items().get(i), path + "[" + i + "]", omitted));
                }
                yield Json.array(items);
            }
            default -> value;
        };
    }
}
