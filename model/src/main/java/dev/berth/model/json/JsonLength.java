package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.Json.JsonString;
import java.util.List;

/// Lower bound of the length of a value as compact JSON: escapes and literals such as `true` are
/// not counted in full. For limits: stops as soon as a limit is exceeded.
public final class JsonLength {

    /// Quotes, colon and comma of a member.
    private static final int MEMBER = 4;

    private JsonLength() {}

    /// The remaining bytes after a value; negative when the value is longer.
    public static long leftOf(long bytes, Json value) {
        return switch (value) {
            case JsonString(var text) -> bytes - 2 - text.length();
            case JsonArray(var items) -> leftOf(bytes - 2 - items.size(), items);
            case JsonObject object -> leftOf(bytes - 2, object);
            case JsonNumber(var literal) -> bytes - literal.length();
            case JsonBool _, JsonNull _ -> bytes - 1;
        };
    }

    /// The remaining bytes after a member of an object.
    public static long leftOf(long bytes, String name, Json value) {
        return leftOf(bytes - MEMBER - name.length(), value);
    }

    private static long leftOf(long bytes, JsonObject object) {
        var left = bytes;
        for (var at = 0; at < object.size() && left >= 0; at++) {
            left = leftOf(left, object.nameAt(at), object.valueAt(at));
        }
        return left;
    }

    private static long leftOf(long bytes, List<Json> items) {
        var left = bytes;
        for (var at = 0; at < items.size() && left >= 0; at++) {
            left = leftOf(left, items.get(at));
        }
        return left;
    }
}
