package dev.berth.server.schema;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType.Struct;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A resource in one version, for OpenAPI.
///
/// @param verbs of the resource itself: `get`, `list`, `create`, …
/// @param shape type of its kind
/// @param schema for custom resources, the schema to publish instead of the type; see
///   [CrdSchemas#published]
public record OpenApiResource(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        Set<String> verbs,
        List<Subresource> subresources,
        List<StreamingSubresource> streamingSubresources,
        Struct shape,
        Optional<JsonObject> schema) {

    public OpenApiResource {
        verbs = Set.copyOf(verbs);
        subresources = List.copyOf(subresources);
        streamingSubresources = List.copyOf(streamingSubresources);
    }

    /// A built-in resource.
    public OpenApiResource(
            String group,
            String version,
            String kind,
            String plural,
            boolean namespaced,
            Set<String> verbs,
            List<Subresource> subresources,
            Struct shape) {
        this(
                group,
                version,
                kind,
                plural,
                namespaced,
                verbs,
                subresources,
                List.of(),
                shape,
                Optional.empty());
    }

    /// A subresource such as `status`.
    ///
    /// @param group of the kind in request and response
    /// @param shape type of that kind
    public record Subresource(
            String name,
            String group,
            String version,
            String kind,
            Set<String> verbs,
            Struct shape) {

        public Subresource {
            verbs = Set.copyOf(verbs);
        }
    }

    /// A streaming subresource such as `log` or `exec`.
    ///
    /// @param kind as in discovery
    /// @param options query parameters, as fields
    public record StreamingSubresource(
            String name, String kind, Set<String> verbs, Struct options) {

        public StreamingSubresource {
            verbs = Set.copyOf(verbs);
        }
    }

    /// The status subresource, which has the type of the resource.
    public static Subresource status(String group, String version, String kind, Struct shape) {
        return new Subresource(
                "status", group, version, kind, Set.of("get", "update", "patch"), shape);
    }

    /// Path prefix of the resource, without the leading slash: `api/v1`, `apis/apps/v1`.
    String root() {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }
}
