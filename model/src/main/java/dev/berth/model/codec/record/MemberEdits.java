package dev.berth.model.codec.record;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonObjectBuilder;
import org.jspecify.annotations.Nullable;

/// Rebuilds an object from its members in order. If no member changes, which is usual, the result
/// is the same object and nothing is copied.
final class MemberEdits {

    private final JsonObject before;
    private int same;
    private @Nullable JsonObjectBuilder after;

    MemberEdits(JsonObject before) {
        this.before = before;
    }

    @SuppressWarnings("ReferenceEquality") // identical objects have not changed
    void put(String name, Json value) {
        if (after == null
                && same < before.size()
                && before.valueAt(same) == value
                && before.nameAt(same).equals(name)) {
            same++;
            return;
        }
        changed().put(name, value);
    }

    private JsonObjectBuilder changed() {
        if (after == null) {
            after = new JsonObjectBuilder();
            for (var at = 0; at < same; at++) {
                after.put(before.nameAt(at), before.valueAt(at));
            }
        }
        return after;
    }

    /// True when that member was put.
    boolean has(String name) {
        if (after != null) {
            return after.has(name);
        }
        for (var at = 0; at < same; at++) {
            if (before.nameAt(at).equals(name)) {
                return true;
            }
        }
        return false;
    }

    JsonObject done() {
        if (after == null && same == before.size()) {
            return before;
        }
        return changed().done();
    }
}
