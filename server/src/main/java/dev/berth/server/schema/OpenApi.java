package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.Schemas;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Describes what is served in OpenAPI, so far as clients look at it.
///
/// kubectl reads version 3: the fields for `explain`, patch strategies for `apply` and `diff`, and
/// the query parameters of `PATCH` to learn whether the server can do a dry run and check fields.
/// Version 2 has the same content in one document for older tools.
///
/// Documents are large and change only with the kinds that are served: the caller keeps them.
public final class OpenApi {

    private final Schemas schemas;

    public OpenApi(Schemas schemas) {
        this.schemas = schemas;
    }

    /// The document of one version of a group.
    public JsonObject v3(List<OpenApiResource> resources) {
        var types = new OpenApiTypes(schemas, OpenApiTypes.Dialect.V3);
        var paths = new OpenApiPaths(types, schemas);
        resources.forEach(paths::add);
        var document = new LinkedHashMap<String, Json>();
        document.put("openapi", Json.of("3.0.0"));
        document.put("info", about());
        document.put("paths", paths.toJson());
        document.put(
                "components",
                JsonObject.of("schemas", types.toJson())
                        .with("securitySchemes", JsonObject.of("BearerToken", token())));
        return new JsonObject(document);
    }

    /// The document of all that is served.
    public JsonObject v2(List<OpenApiResource> resources) {
        var types = new OpenApiTypes(schemas, OpenApiTypes.Dialect.V2);
        var paths = new OpenApiPaths(types, schemas);
        resources.forEach(paths::add);
        var document = new LinkedHashMap<String, Json>();
        document.put("swagger", Json.of("2.0"));
        document.put("info", about());
        document.put("paths", paths.toJson());
        document.put("definitions", types.toJson());
        document.put("securityDefinitions", JsonObject.of("BearerToken", token()));
        return new JsonObject(document);
    }

    /// The list of documents in version 3. Addresses change with the content, so that clients can
    /// keep what they have read.
    ///
    /// @param documents by path without the leading slash: `api/v1`, `apis/apps/v1`
    public static JsonObject index(Map<String, JsonObject> documents) {
        var paths = new LinkedHashMap<String, Json>();
        documents.forEach((path, document) ->
                paths.put(
                        path,
                        JsonObject.of(
                                "serverRelativeURL",
                                Json.of(
                                        "/openapi/v3/%s?hash=%s"
                                                .formatted(path, hash(document))))));
        return JsonObject.of("paths", new JsonObject(paths));
    }

    /// What stands for the content of a document in its address, and as its entity tag.
    public static String hash(JsonObject document) {
        try {
            var digest = MessageDigest.getInstance("SHA-512");
            var text = JsonWriter.compact(document).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(digest.digest(text)).toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-512", e);
        }
    }

    private static JsonObject about() {
        return JsonObject.of("title", Json.of("Kubernetes")).with("version", Json.of("v1.37.0"));
    }

    private static JsonObject token() {
        return JsonObject.of("type", Json.of("apiKey"))
                .with("description", Json.of("A token, as in: Bearer TOKEN"))
                .with("name", Json.of("authorization"))
                .with("in", Json.of("header"));
    }
}
