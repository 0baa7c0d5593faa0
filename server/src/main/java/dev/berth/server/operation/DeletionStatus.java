package dev.berth.server.operation;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.Resource;
import java.util.Optional;

/// The `Status` of a successful deletion.
public final class DeletionStatus {

    private DeletionStatus() {}

    /// Empty when the response is the deleted object.
    public static Optional<JsonObject> of(Resource resource, ObjectDeletes.Deleted deleted) {
        if (!deleted.removed() || !resource.deleteReturnsStatus()) {
            return Optional.empty();
        }
        var metadata = deleted.object().objectOrEmpty("metadata");
        var details = JsonObject.of("name", Json.of(metadata.text("name")));
        if (!resource.group().isEmpty()) {
            details = details.with("group", Json.of(resource.group()));
        }
        details = details.with("kind", Json.of(resource.plural()));
        return Optional.of(
                JsonObject.of("kind", Json.of("Status"))
                        .with("apiVersion", Json.of("v1"))
                        .with("metadata", JsonObject.EMPTY)
                        .with("status", Json.of("Success"))
                        .with("details", details.with("uid", Json.of(metadata.text("uid")))));
    }
}
