package dev.berth.drivers.sim;

import dev.berth.model.api.meta.ObjectRef;
import dev.berth.model.json.JsonObject;

/// Fields of `metadata` of objects as JSON.
final class JsonMetadata {

    private JsonMetadata() {}

    static ObjectRef ref(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        return new ObjectRef(metadata.text("namespace"), metadata.text("name"));
    }

    static String uid(JsonObject object) {
        return object.objectOrEmpty("metadata").text("uid");
    }
}
