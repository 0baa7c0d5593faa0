package dev.berth.model.json;

import dev.berth.model.json.Json.JsonArray;
import java.util.ArrayList;

/// Replaces equal parts of a value by the objects of another value.
final class StructuralSharing {

    private StructuralSharing() {}

    /// A value with equal parts taken from the other; the other itself if they are equal.
    @SuppressWarnings("ReferenceEquality") // compares by identity
    static Json of(Json value, Json other) {
        if (value == other) {
            return value;
        }
        if (value instanceof JsonObject object && other instanceof JsonObject before) {
            var shared = object.sharing(before);
            return shared.members() == before.members() ? before : shared;
        }
        if (value instanceof JsonArray array && other instanceof JsonArray before) {
            return of(array, before);
        }
        return value.equals(other) ? other : value;
    }

    /// Items are compared index by index.
    @SuppressWarnings("ReferenceEquality")
    private static Json of(JsonArray array, JsonArray before) {
        var items = array.items();
        var others = before.items();
        var shared = new ArrayList<Json>(items.size());
        var isSame = items.size() == others.size();
        for (var at = 0; at < items.size(); at++) {
            var item = at < others.size() ? of(items.get(at), others.get(at)) : items.get(at);
            shared.add(item);
            isSame &= at < others.size() && item == others.get(at);
        }
        return isSame ? before : new JsonArray(shared);
    }
}
