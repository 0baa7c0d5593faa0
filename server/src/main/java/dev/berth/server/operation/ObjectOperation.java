package dev.berth.server.operation;

import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.DeleteOptions;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An operation on an object or a subresource, or the list of a collection.
public sealed interface ObjectOperation {

    ObjectPath path();

    /// Reads an object.
    ///
    /// @param resourceVersion the oldest acceptable version; empty for the latest
    record Get(ObjectPath path, String resourceVersion) implements ObjectOperation {}

    /// Reads the objects of a collection.
    record List(ObjectPath path, ListOptions options) implements ObjectOperation {}

    /// Writes an object or a subresource.
    sealed interface Write extends ObjectOperation {
        WriteOptions options();

        RequestDocument document();
    }

    /// Creates an object, or posts to a subresource such as `binding`.
    record Create(ObjectPath path, WriteOptions options, RequestDocument document)
            implements Write {}

    /// Replaces an object.
    record Update(ObjectPath path, WriteOptions options, RequestDocument document)
            implements Write {}

    /// Changes a part of an object.
    record Patch(ObjectPath path, WriteOptions options, RequestDocument document, PatchType type)
            implements Write {}

    /// Server-side apply.
    ///
    /// @param force whether fields of other managers are taken over
    record Apply(ObjectPath path, WriteOptions options, RequestDocument document, boolean force)
            implements Write {

        public static final String MEDIA_TYPE = "application/apply-patch+yaml";
    }

    /// Deletes an object.
    record Delete(ObjectPath path, DeleteOptions options, boolean dryRun)
            implements ObjectOperation {}

    /// Formats of patches.
    enum PatchType {
        JSON("application/json-patch+json"),
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json");

        private final String mediaType;

        PatchType(String mediaType) {
            this.mediaType = mediaType;
        }

        public String mediaType() {
            return mediaType;
        }

        /// The error for a patch of another media type.
        ///
        /// @param isCustom true for custom kinds, which have no strategic merge patch
        public static ApiException unsupported(boolean isCustom) {
            return ApiError.unsupportedMediaType(
                            Stream.of(
                                            JSON.mediaType,
                                            MERGE.mediaType,
                                            isCustom ? "" : STRATEGIC.mediaType,
                                            Apply.MEDIA_TYPE)
                                    .filter(type -> !type.isEmpty())
                                    .collect(Collectors.joining(", ")))
                    .exception();
        }
    }

    /// The verb for authorization.
    default Verb verb() {
        return switch (this) {
            case Get _ -> Verb.GET;
            case List _ -> Verb.LIST;
            case Create _ -> Verb.CREATE;
            case Update _ -> Verb.UPDATE;
            case Patch _, Apply _ -> Verb.PATCH;
            case Delete _ -> Verb.DELETE;
        };
    }
}
