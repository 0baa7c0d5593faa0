package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonNumber;
import dev.berth.model.json.JsonObject;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Formats JSON values as Go's `%v`, for messages of Kubernetes: `map[image:x name:a]`, `[1 2]`.
final class GoValueText {

    private GoValueText() {}

    static String of(Json value) {
        return switch (value) {
            case JsonObject object ->
                    new TreeMap<>(object.members())
                            .entrySet().stream()
                                    .map(member -> member.getKey() + ":" + of(member.getValue()))
                                    .collect(Collectors.joining(" ", "map[", "]"));
            case JsonArray array ->
                    array.items().stream()
                            .map(GoValueText::of)
                            .collect(Collectors.joining(" ", "[", "]"));
            case JsonString(var text) -> text;
            case JsonNumber(var literal) -> literal;
            case JsonBool(var flag) -> Boolean.toString(flag);
            case JsonNull _ -> "<nil>";
        };
    }

    /// The Go type that Kubernetes decodes the value into.
    static String type(Json value) {
        return switch (value) {
            case JsonObject _ -> "map[string]interface {}";
            case JsonArray _ -> "[]interface {}";
            case JsonString _ -> "string";
            case JsonNumber number -> number.asLong().isPresent() ? "int64" : "float64";
            case JsonBool _ -> "bool";
            case JsonNull _ -> "%!s(<nil>)";
        };
    }
}
