package dev.berth.server.operation;

import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonNull;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiError;
import java.util.List;

/// The body of a write, parsed but not checked against the schema of its kind.
///
/// @param duplicates paths of duplicate members; the last one wins
/// @param mayBeTooLarge false when the JSON text of an object is certainly small enough to be
///   stored
public record RequestDocument(Json root, List<FieldPath> duplicates, boolean mayBeTooLarge) {

    /// A body of a client in this process. Objects of these clients are small.
    public static RequestDocument of(Json root) {
        return new RequestDocument(root, List.of(), false);
    }

    /// The object in the body.
    public JsonObject object() {
        return switch (root) {
            case JsonObject object -> object;
            case JsonNull _ ->
                    throw ApiError.badRequest("the body is empty; expected an object").exception();
            case Json other ->
                    throw ApiError.badRequest(
                                    "the body is of type %s; expected an object"
                                            .formatted(other.kindName()))
                            .exception();
        };
    }

    /// The object in the body, which must be of this kind if it has a kind.
    public JsonObject object(String apiVersion, String kind) {
        var object = object();
        var writtenVersion = object.text("apiVersion");
        var writtenKind = object.text("kind");
        if ((!writtenVersion.isEmpty() && !writtenVersion.equals(apiVersion))
                || (!writtenKind.isEmpty() && !writtenKind.equals(kind))) {
            throw ApiError.badRequest(
                            ("the object provided is unrecognized (%s, Kind=%s); this address takes"
                                            + " %s, Kind=%s")
                                    .formatted(writtenVersion, writtenKind, apiVersion, kind))
                    .exception();
        }
        return object;
    }
}
