package dev.berth.server.schema;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType.Struct;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A resource in one version, as far as its description in OpenAPI goes.
///
/// @param verbs of the resource itself: `get`, `list`, `create`, …
/// @param shape the fields of its kind
/// @param schema what to publish in place of the fields, for kinds that users define; see
///   [CrdSchemas#published]
public record OpenApiResource(
        String group,
        String version,
        String kind,
        String plural,
        boolean namespaced,
        Set<String> verbs,
        List<Part> parts,
        List<Stream> streams,
        Struct shape,
        Optional<JsonObject> schema) {

    public OpenApiResource {
        verbs = Set.copyOf(verbs);
        parts = List.copyOf(parts);
        streams = List.copyOf(streams);
    }

    /// A built-in kind.
    public OpenApiResource(
            String group,
            String version,
            String kind,
            String plural,
            boolean namespaced,
            Set<String> verbs,
            List<Part> parts,
            Struct shape) {
        this(
                group,
                version,
                kind,
                plural,
                namespaced,
                verbs,
                parts,
                List.of(),
                shape,
                Optional.empty());
    }

    /// Something beneath a resource, such as `status`.
    ///
    /// @param group of the kind that is sent and answered
    /// @param shape the fields of that kind
    public record Part(
            String name,
            String group,
            String version,
            String kind,
            Set<String> verbs,
            Struct shape) {

        public Part {
            verbs = Set.copyOf(verbs);
        }
    }

    /// What goes on beneath a resource, such as `log`: text, or a conversation.
    ///
    /// @param kind that discovery names
    /// @param options what the address says, as fields
    public record Stream(String name, String kind, Set<String> verbs, Struct options) {

        public Stream {
            verbs = Set.copyOf(verbs);
        }
    }

    /// The status of a resource, which has the fields of the resource.
    public static Part status(String group, String version, String kind, Struct shape) {
        return new Part("status", group, version, kind, Set.of("get", "update", "patch"), shape);
    }

    /// Where the resource is found, without the leading slash: `api/v1`, `apis/apps/v1`.
    String root() {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }
}
