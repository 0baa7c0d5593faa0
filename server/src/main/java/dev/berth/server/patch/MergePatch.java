package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import java.util.LinkedHashMap;

/// JSON merge patch (RFC 7386): objects are merged, `null` removes, everything else replaces.
public final class MergePatch {

    private MergePatch() {}

    public static PatchResult apply(JsonObject object, Json patch) {
        if (!(patch instanceof JsonObject changes)) {
            return PatchRejection.badRequest(
                    "error decoding patch: json: cannot unmarshal %s into Go value of type"
                                    .formatted(patch.kindName())
                            + " map[string]interface {}");
        }
        var exceeded = PatchLimits.exceeded(object, patch);
        return exceeded.isPresent() ? exceeded.get() : new PatchedObject(merged(object, changes));
    }

    static JsonObject merged(JsonObject object, JsonObject changes) {
        var members = new LinkedHashMap<>(object.members());
        changes.members()
                .forEach((name, change) -> {
                    switch (change) {
                        case JsonNull _ -> members.remove(name);
                        case JsonObject inner -> {
                            var old = members.get(name);
                            var base = old instanceof JsonObject o ? o : JsonObject.EMPTY;
                            members.put(name, merged(base, inner));
                        }
                        default -> members.put(name, change);
                    }
                });
        return new JsonObject(members);
    }
}
