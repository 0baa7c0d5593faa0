package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/// Differences of two JSON trees, one line per path.
public final class TreeDifference {

    private final List<String> lines = new ArrayList<>();

    private TreeDifference() {}

    public static List<String> of(Json expected, Json actual) {
        var difference = new TreeDifference();
        difference.compare("", expected, actual);
        return difference.lines;
    }

    /// The tree without members that are `null` or an empty list, which protobuf cannot distinguish
    /// from absent ones.
    public static Json withoutEmptyLists(Json tree) {
        return switch (tree) {
            case JsonObject object -> {
                var members = new LinkedHashMap<String, Json>();
                object.members()
                        .forEach((name, value) -> {
                            if (!(value instanceof JsonNull) && !value.equals(JsonArray.EMPTY)) {
                                members.put(name, withoutEmptyLists(value));
                            }
                        });
                yield new JsonObject(members);
            }
            case JsonArray(var items) ->
                    new JsonArray(items.stream().map(TreeDifference::withoutEmptyLists).toList());
            default -> tree;
        };
    }

    private void compare(String path, Json expected, Json actual) {
        if (expected instanceof JsonObject one && actual instanceof JsonObject other) {
            var names = new TreeSet<>(one.names());
            names.addAll(other.names());
            for (var name : names) {
                var inner = path + "." + name;
                if (!one.has(name)) {
                    lines.add(inner + " is new: " + text(other.memberOrNull(name)));
                } else if (!other.has(name)) {
                    lines.add(inner + " is lost: " + text(one.memberOrNull(name)));
                } else {
                    compare(inner, one.memberOrNull(name), other.memberOrNull(name));
                }
            }
        } else if (expected instanceof JsonArray(var left)
                && actual instanceof JsonArray(var right)
                && left.size() == right.size()) {
            for (var i = 0; i < left.size(); i++) {
                compare("%s[%d]".formatted(path, i), left.get(i), right.get(i));
            }
        } else if (!expected.equals(actual)) {
            lines.add("%s is %s, expected %s".formatted(path, text(actual), text(expected)));
        }
    }

    private static String text(Json value) {
        var text = JsonWriter.compact(value);
        return text.length() < 200 ? text : text.substring(0, 200) + "…";
    }
}
