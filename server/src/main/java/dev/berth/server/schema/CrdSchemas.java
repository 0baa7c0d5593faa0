package dev.berth.server.schema;

import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.LazyFields;
import dev.berth.schema.SchemaReader;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Converts the schemas of CustomResourceDefinitions to types.
public final class CrdSchemas {

    private static final String PRESERVE_UNKNOWN = "x-kubernetes-preserve-unknown-fields";

    private final Schemas schemas;

    public CrdSchemas(Schemas schemas) {
        this.schemas = schemas;
    }

    /// The type of a kind in one version.
    ///
    /// @param schema `openAPIV3Schema` of the definition
    public Struct shape(String group, String version, String kind, JsonObject schema) {
        var name = definitionName(group, version, kind);
        var own = struct(name, schema);
        return new Struct(
                name,
                own.description(),
                new LazyFields(() -> withTypeAndMetadata(own)),
                false,
                own.open());
    }

    /// Name in OpenAPI: `com.example.v1.Thing` for `Thing` of group `example.com`.
    static String definitionName(String group, String version, String kind) {
        var parts = Arrays.asList(group.split("\\.", -1));
        Collections.reverse(parts);
        return String.join(".", parts) + "." + version + "." + kind;
    }

    /// The schema as published in OpenAPI: without validation rules, which only the server
    /// evaluates.
    public static JsonObject published(JsonObject schema) {
        return schema.without("x-kubernetes-validations");
    }

    private List<Field> withTypeAndMetadata(Struct own) {
        var fields = new ArrayList<>(SchemaReader.typeFields());
        fields.add(
                SchemaReader.plain(
                        "metadata", schemas.objectMeta(), "Name, labels, owners and history."));
        for (var field : own.fields().all()) {
            if (fields.stream().noneMatch(one -> one.name().equals(field.name()))) {
                fields.add(field);
            }
        }
        return fields;
    }

    private Struct struct(String name, JsonObject schema) {
        return new Struct(
                name,
                schema.text("description"),
                new LazyFields(() -> fields(name, schema)),
                schema.text("x-kubernetes-map-type").equals("atomic"),
                preservesUnknown(schema));
    }

    static boolean preservesUnknown(JsonObject schema) {
        return schema.flag(PRESERVE_UNKNOWN).orElse(false);
    }

    static boolean isEmbedded(JsonObject schema) {
        return schema.flag("x-kubernetes-embedded-resource").orElse(false);
    }

    private List<Field> fields(String name, JsonObject schema) {
        Set<String> required = new HashSet<>(schema.strings("required"));
        var fields = new LinkedHashMap<String, Field>();
        if (isEmbedded(schema)) {
            SchemaReader.typeFields().forEach(field -> fields.put(field.name(), field));
            fields.put(
                    "metadata",
                    SchemaReader.plain(
                            "metadata", schemas.objectMeta(), "Name, labels, owners and history."));
        }
        for (var entry : schema.objectOrEmpty("properties").members().entrySet()) {
            if (!fields.containsKey(entry.getKey())
                    && entry.getValue() instanceof JsonObject property) {
                fields.put(
                        entry.getKey(),
                        new Field(
                                entry.getKey(),
                                type(name + "." + entry.getKey(), property),
                                property.text("description"),
                                required.contains(entry.getKey()),
                                property.member("default")));
            }
        }
        return List.copyOf(fields.values());
    }

    private SchemaType type(String name, JsonObject schema) {
        if (schema.flag("x-kubernetes-int-or-string").orElse(false)) {
            return Scalar.INT_OR_STRING;
        }
        return switch (schema.text("type")) {
            case "object" -> object(name, schema);
            case "array" -> list(name, schema);
            case "string" -> Scalar.STRING;
            case "integer" -> Scalar.INT64;
            case "number" -> Scalar.NUMBER;
            case "boolean" -> Scalar.BOOLEAN;
            default -> Scalar.ANY;
        };
    }

    private SchemaType object(String name, JsonObject schema) {
        var atomic = schema.text("x-kubernetes-map-type").equals("atomic");
        var additional = schema.members().get("additionalProperties");
        if (!schema.has("properties")) {
            if (additional instanceof JsonObject values) {
                return new MapOf(type(name + ".*", values), atomic);
            }
            if (additional instanceof JsonBool(var any) && any) {
                return new MapOf(Scalar.ANY, atomic);
            }
        }
        return struct(name, schema);
    }

    private SchemaType list(String name, JsonObject schema) {
        var item = type(name + "[]", schema.objectOrEmpty("items"));
        var merge =
                switch (schema.text("x-kubernetes-list-type")) {
                    case "set" -> new Merge.AsSet();
                    case "map" -> new Merge.ByKeys(schema.strings("x-kubernetes-list-map-keys"));
                    default -> new Merge.Atomic();
                };
        return new ListOf(item, merge, false, "", false);
    }

    /// Schema of the properties that are not declared; empty if `additionalProperties` is `true`.
    static JsonObject additional(JsonObject schema) {
        return schema.objectOrEmpty("additionalProperties");
    }

    /// True if undeclared properties are described or allowed.
    static boolean hasAdditional(JsonObject schema) {
        var additional = schema.members().get("additionalProperties");
        return additional instanceof JsonObject || (additional instanceof JsonBool(var any) && any);
    }
}
