package dev.berth.client;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/// A request for one object, as a value: one class decides on it, another sends it.
public sealed interface Request {

    ResourcePath address();

    /// Empty for cluster-scoped objects.
    String namespace();

    /// Reads one object from the server, not from a cache.
    record Get(ResourcePath address, String namespace, String name) implements Request {}

    /// Creates an object, or posts to a subresource such as `binding`.
    ///
    /// @param name of the parent, for a subresource; empty otherwise
    /// @param subresource empty for none
    record Create(
            ResourcePath address,
            String namespace,
            String name,
            String subresource,
            JsonObject object)
            implements Request {

        public static Create of(ResourcePath address, String namespace, JsonObject object) {
            return new Create(address, namespace, "", "", object);
        }
    }

    /// Replaces an object, or its status, if its `resourceVersion` is still current.
    ///
    /// @param subresource `status`, or empty for the object itself
    record Update(
            ResourcePath address,
            String namespace,
            String name,
            String subresource,
            JsonObject object)
            implements Request {}

    /// Changes a part of an object.
    record Patch(
            ResourcePath address,
            String namespace,
            String name,
            String subresource,
            PatchType type,
            Json patch)
            implements Request {}

    /// Deletes an object.
    ///
    /// @param uid precondition: the object must have this UID
    /// @param graceSeconds grace period; empty for that of the object
    record Delete(
            ResourcePath address,
            String namespace,
            String name,
            Optional<String> uid,
            OptionalLong graceSeconds)
            implements Request {}

    /// Patch types of the Kubernetes API.
    enum PatchType {
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json"),
        JSON("application/json-patch+json"),
        /// Server-side apply with force, with the field manager of the client.
        APPLY("application/apply-patch+yaml");

        private final String mediaType;

        PatchType(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }
}
