package dev.berth.client;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;

/// A write, as a value: decided in one place, carried out in another.
public sealed interface Request {

    ResourcePath address();

    /// Empty for objects of the whole cluster.
    String namespace();

    /// Reads one object, past every cache.
    record Get(ResourcePath address, String namespace, String name) implements Request {}

    /// Creates an object, or something beneath one such as a `Binding`.
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

    /// Replaces an object of the revision that it says, or its status.
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
            Style style,
            Json patch)
            implements Request {}

    /// Deletes an object.
    ///
    /// @param uid the object must be this one
    /// @param graceSeconds how long it may take; empty for what the object says
    record Delete(
            ResourcePath address,
            String namespace,
            String name,
            Optional<String> uid,
            OptionalLong graceSeconds)
            implements Request {}

    /// How a patch is to be understood.
    enum Style {
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json"),
        JSON("application/json-patch+json"),
        /// Server-side apply with force, in the name of the cluster's field manager.
        APPLY("application/apply-patch+yaml");

        private final String mediaType;

        Style(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }
    }
}
