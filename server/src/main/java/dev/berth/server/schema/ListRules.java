package dev.berth.server.schema;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;

/// Validates uniqueness of items in lists of type set and map.
final class ListRules {

    private final List<FieldError> problems;

    ListRules(List<FieldError> problems) {
        this.problems = problems;
    }

    void value(JsonObject schema, Json value, FieldPath path) {
        switch (value) {
            case JsonObject object -> object(schema, object, path);
            case JsonArray(var items) -> list(schema, items, path);
            default -> {}
        }
    }

    private void object(JsonObject schema, JsonObject object, FieldPath path) {
        var properties = schema.objectOrEmpty("properties");
        object.members()
                .forEach((name, value) -> {
                    if (properties.members().get(name) instanceof JsonObject property) {
                        value(property, value, path.child(name));
                    } else {
                        value(CrdSchemas.additional(schema), value, path.key(name));
                    }
                });
    }

    private void list(JsonObject schema, List<Json> items, FieldPath path) {
        switch (schema.text("x-kubernetes-list-type")) {
            case "set" -> distinct(items, path);
            case "map" -> map(schema, items, path);
            default -> {}
        }
        var item = schema.objectOrEmpty("items");
        for (var i = 0; i < items.size(); i++) {
            value(item, items.get(i), path.index(i));
        }
    }

    private void map(JsonObject schema, List<Json> items, FieldPath path) {
        var keys = schema.strings("x-kubernetes-list-map-keys");
        var defaults = schema.objectOrEmpty("items").objectOrEmpty("properties");
        for (var i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof JsonObject)) {
                problems.add(
                        FieldError.invalid(
                                path.index(i),
                                items.get(i),
                                "must be an object for an array of list-type map"));
                return;
            }
        }
        distinct(
                items.stream().map(item -> keys(keys, defaults, (JsonObject) item)).toList(), path);
    }

    private static Json keys(List<String> keys, JsonObject properties, JsonObject item) {
        var key = new LinkedHashMap<String, Json>();
        for (var name : keys) {
            item.member(name)
                    .or(() -> properties.objectOrEmpty(name).member("default"))
                    .ifPresent(value -> key.put(name, value));
        }
        return new JsonObject(key);
    }

    /// Reports the second of equal items, but not further ones.
    private void distinct(List<Json> items, FieldPath path) {
        var seen = new TreeMap<Json, Integer>(JsonOrder.INSTANCE);
        for (var i = 0; i < items.size(); i++) {
            if (seen.merge(items.get(i), 1, Integer::sum) == 2) {
                problems.add(FieldError.duplicate(path.index(i), items.get(i)));
            }
        }
    }
}
