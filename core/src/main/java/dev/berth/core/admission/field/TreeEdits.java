package dev.berth.core.admission.field;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/// Copy-on-write edits of nested JSON objects. Absent members stay absent, and unchanged subtrees
/// keep their identity, so that an unchanged result is cheap to detect.
public final class TreeEdits {

    private TreeEdits() {}

    /// The object with the nested object at a path replaced.
    public static JsonObject at(
            JsonObject object, UnaryOperator<JsonObject> change, String... path) {
        return at(object, change, path, 0);
    }

    private static JsonObject at(
            JsonObject object, UnaryOperator<JsonObject> change, String[] path, int depth) {
        if (depth == path.length) {
            return change.apply(object);
        }
        return object.memberOrNull(path[depth]) instanceof JsonObject inner
                ? object.with(path[depth], at(inner, change, path, depth + 1))
                : object;
    }

    /// The object with every object of one of its lists replaced.
    @SuppressWarnings("ReferenceEquality") // what is the same object has not changed
    public static JsonObject each(
            JsonObject object, String list, UnaryOperator<JsonObject> change) {
        var items = object.items(list);
        if (items.isEmpty()) {
            return object;
        }
        var results = new ArrayList<Json>(items.size());
        var same = true;
        for (var at = 0; at < items.size(); at++) {
            var item = items.get(at);
            var changed = item instanceof JsonObject inner ? change.apply(inner) : item;
            same &= changed == item;
            results.add(changed);
        }
        return same ? object : object.with(list, new JsonArray(results));
    }

    /// The object with every object of one of its maps replaced.
    public static JsonObject eachEntry(
            JsonObject object, String map, UnaryOperator<JsonObject> change) {
        var entries = object.object(map);
        if (entries.isEmpty()) {
            return object;
        }
        var changed = new LinkedHashMap<String, Json>();
        for (var entry : entries.get().members().entrySet()) {
            var value = entry.getValue();
            changed.put(
                    entry.getKey(),
                    value instanceof JsonObject inner ? change.apply(inner) : value);
        }
        return object.with(map, new JsonObject(changed));
    }

    public static JsonObject without(JsonObject object, List<String> names) {
        var result = object;
        for (var name : names) {
            result = result.without(name);
        }
        return result;
    }

    /// The object with one member copied from another object, or removed if absent there.
    public static JsonObject copyMember(JsonObject object, JsonObject source, String name) {
        var value = source.memberOrNull(name);
        return value instanceof JsonNull ? object.without(name) : object.with(name, value);
    }
}
