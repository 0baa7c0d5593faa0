package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// A total order of JSON values, consistent with equality and otherwise arbitrary. For sorted
/// collections of untrusted values, whose hash codes a client may have chosen to collide.
public final class JsonOrder implements Comparator<Json> {

    public static final JsonOrder INSTANCE = new JsonOrder();

    private JsonOrder() {}

    @Override
    public int compare(Json a, Json b) {
        return switch (a) {
            case JsonString(var left) when b instanceof JsonString(var right) ->
                    left.compareTo(right);
            case JsonNumber(var left) when b instanceof JsonNumber(var right) ->
                    left.compareTo(right);
            case JsonBool(var left) when b instanceof JsonBool(var right) ->
                    Boolean.compare(left, right);
            case JsonArray(var left) when b instanceof JsonArray(var right) ->
                    compareLists(left, right);
            case JsonObject left when b instanceof JsonObject right -> compareObjects(left, right);
            default -> Integer.compare(rank(a), rank(b));
        };
    }

    private static int rank(Json value) {
        return switch (value) {
            case JsonString _ -> 0;
            case JsonNumber _ -> 1;
            case JsonBool _ -> 2;
            case JsonNull _ -> 3;
            case JsonArray _ -> 4;
            case JsonObject _ -> 5;
        };
    }

    private int compareLists(List<Json> a, List<Json> b) {
        for (var at = 0; at < Math.min(a.size(), b.size()); at++) {
            var order = compare(a.get(at), b.get(at));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    /// Member by member in the order of their names.
    private int compareObjects(JsonObject a, JsonObject b) {
        var left = new TreeMap<>(a.members()).entrySet().iterator();
        var right = new TreeMap<>(b.members()).entrySet().iterator();
        while (left.hasNext() && right.hasNext()) {
            var mine = left.next();
            var other = right.next();
            var byName = mine.getKey().compareTo(other.getKey());
            var order = byName == 0 ? compare(mine.getValue(), other.getValue()) : byName;
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }
}
