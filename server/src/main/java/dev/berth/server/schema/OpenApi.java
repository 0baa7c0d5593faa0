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

/// Generates OpenAPI documents of the served resources, with the content that clients use.
///
/// kubectl reads version 3: the fields for `explain`, patch strategies for `apply` and `diff`, and
/// the query parameters of `PATCH` to detect support for dry run and field validation. Version 2
/// has the same content in one document for older tools.
///
/// Documents are large and change only with the served kinds: the caller caches them.
public final class OpenApi {

    private final Schemas schemas;

    public OpenApi(Schemas schemas) {
        this.schemas = schemas;
    }

    /// The document of one group version.
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

    /// The document of all served resources.
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

    /// The list of documents in version 3. URLs contain a hash of the content, so that clients can
    /// cache documents.
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

    /// Hash of a document, for its URL and its entity tag.
    public static String hash(JsonObject document) {
        try {
            var digest = MessageDigest.getInstance("SHA-512");
            var text = JsonWriter.compact(document).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(digest.digest(text)).toUpperCase(Locale.ROOT);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-512 is missing in this JDK", e);
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
