package dev.berth.server;

import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.schema.check.SchemaFieldCheck;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.SchemaValidator;
import dev.berth.server.schema.CrdSchemas;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Schemas of all served kinds: those of built-in kinds are bundled, those of custom kinds come
/// from their CustomResourceDefinitions.
final class ServedSchemas implements SchemaValidator, FieldTypes {

    private final Schemas schemas = Schemas.builtIn();
    private final Map<String, Custom> custom = new ConcurrentHashMap<>();

    /// The structural type of one version of a custom kind, and its OpenAPI schema.
    private record Custom(Struct struct, JsonObject schema) {}

    @Override
    public Result check(Resource resource, String version, JsonObject object) {
        var struct = struct(resource, version);
        if (struct.isEmpty()) {
            return new Result(resource.toInternal(version, object), List.of(), List.of());
        }
        var checked = SchemaFieldCheck.check(struct.get(), object);
        return new Result(
                resource.toInternal(version, checked.object()),
                checked.error().stream().toList(),
                checked.unknown());
    }

    @Override
    public SchemaType of(Resource resource, String version) {
        return struct(resource, version)
                .<SchemaType>map(struct -> struct)
                .orElse(SchemaType.Scalar.ANY);
    }

    Optional<Struct> struct(Resource resource, String version) {
        return resource.isCustom()
                ? Optional.ofNullable(custom.get(key(resource, version))).map(Custom::struct)
                : schemas.kind(resource.group(), version, resource.kind());
    }

    /// The published schema of a custom kind; empty for a built-in one.
    Optional<JsonObject> published(Resource resource, String version) {
        return Optional.ofNullable(custom.get(key(resource, version)))
                .map(schema -> CrdSchemas.published(schema.schema));
    }

    /// Adds or replaces the schema of a custom kind.
    void put(Resource resource, String version, Struct struct, JsonObject schema) {
        custom.put(key(resource, version), new Custom(struct, schema));
    }

    private static String key(Resource resource, String version) {
        return resource.collection() + "/" + version;
    }
}
