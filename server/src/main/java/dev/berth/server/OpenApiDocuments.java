package dev.berth.server;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.Schemas;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Subresource;
import dev.berth.server.schema.OpenApi;
import dev.berth.server.schema.OpenApiResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// OpenAPI documents of the served kinds. They are computed on first use, and again when the kinds
/// have changed.
final class OpenApiDocuments {

    private static final String PREFIX = "/openapi/v3/";

    private static final Schemas SCHEMAS = Schemas.builtIn();

    /// Options kinds of streaming subresources, which are query parameters.
    private static final Map<String, String> STREAMS =
            Map.of(
                    "log", "PodLogOptions",
                    "exec", "PodExecOptions",
                    "attach", "PodAttachOptions",
                    "portforward", "PodPortForwardOptions");

    private final Registry registry;
    private final ServedSchemas fields;
    private final OpenApi openApi = new OpenApi(SCHEMAS);

    private record OpenApi3(List<Resource> kinds, Map<String, JsonObject> documents) {}

    private record OpenApi2(List<Resource> kinds, JsonObject document) {}

    private volatile OpenApi2 openApi2 = new OpenApi2(List.of(), JsonObject.EMPTY);
    private volatile OpenApi3 openApi3 = new OpenApi3(List.of(), Map.of());

    OpenApiDocuments(Registry registry, ServedSchemas fields) {
        this.registry = registry;
        this.fields = fields;
    }

    // The list of kinds is compared by identity, see documents().
    @SuppressWarnings("ReferenceEquality")
    JsonObject openApi2() {
        var kinds = registry.resources().all();
        var cached = openApi2;
        if (cached.kinds != kinds) {
            var all = new ArrayList<OpenApiResource>();
            byVersion(kinds).values().forEach(all::addAll);
            cached = new OpenApi2(kinds, openApi.v2(all));
            openApi2 = cached;
        }
        return cached.document;
    }

    JsonObject openApi3Index() {
        return OpenApi.index(documents());
    }

    /// The document at a path such as `/openapi/v3/apis/apps/v1`.
    JsonObject openApi3(String path) {
        return Optional.ofNullable(documents().get(path.substring(PREFIX.length())))
                .orElseThrow(() -> ApiError.noSuchPath().exception());
    }

    // The list is replaced as a whole when kinds change, so the same list means the same kinds.
    @SuppressWarnings("ReferenceEquality")
    private Map<String, JsonObject> documents() {
        var kinds = registry.resources().all();
        var cached = openApi3;
        if (cached.kinds != kinds) {
            var documents = new LinkedHashMap<String, JsonObject>();
            byVersion(kinds).forEach((path, served) -> documents.put(path, openApi.v3(served)));
            cached = new OpenApi3(kinds, documents);
            openApi3 = cached;
        }
        return cached.documents;
    }

    private Map<String, List<OpenApiResource>> byVersion(List<Resource> kinds) {
        var groups = new LinkedHashMap<String, List<OpenApiResource>>();
        for (var resource : kinds) {
            for (var version : resource.versions()) {
                var path =
                        resource.group().isEmpty()
                                ? "api/" + version
                                : "apis/" + resource.group() + "/" + version;
                served(resource, version)
                        .ifPresent(one ->
                                groups.computeIfAbsent(path, _ -> new ArrayList<>()).add(one));
            }
        }
        return groups;
    }

    private Optional<OpenApiResource> served(Resource resource, String version) {
        return fields.struct(resource, version)
                .map(shape -> {
                    var parts = new ArrayList<OpenApiResource.Subresource>();
                    if (resource.hasStatus()) {
                        parts.add(
                                OpenApiResource.status(
                                        resource.group(), version, resource.kind(), shape));
                    }
                    var streams = new ArrayList<OpenApiResource.StreamingSubresource>();
                    for (var sub : resource.subresources()) {
                        part(sub).ifPresent(parts::add);
                        stream(sub).ifPresent(streams::add);
                    }
                    return new OpenApiResource(
                            resource.group(),
                            version,
                            resource.kind(),
                            resource.plural(),
                            resource.isNamespaced(),
                            Set.copyOf(resource.verbs()),
                            parts,
                            streams,
                            shape,
                            fields.published(resource, version));
                });
    }

    private static Optional<OpenApiResource.StreamingSubresource> stream(Subresource sub) {
        return Optional.ofNullable(STREAMS.get(sub.name()))
                .map(options ->
                        new OpenApiResource.StreamingSubresource(
                                sub.name(),
                                sub.kind(),
                                sub.verbs(),
                                SCHEMAS.struct("io.k8s.api.core.v1." + options)));
    }

    private static Optional<OpenApiResource.Subresource> part(Subresource sub) {
        if (STREAMS.containsKey(sub.name())) {
            return Optional.empty();
        }
        return SCHEMAS.kind(sub.group(), sub.version(), sub.kind())
                .map(shape ->
                        new OpenApiResource.Subresource(
                                sub.name(),
                                sub.group(),
                                sub.version(),
                                sub.kind(),
                                sub.verbs(),
                                shape));
    }
}
