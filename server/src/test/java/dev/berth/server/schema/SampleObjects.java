package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.LinkedHashMap;

/// Sample objects of schema types.
public final class SampleObjects {

    /// Maximum depth, since types may be recursive.
    private static final int DEPTH = 14;

    private SampleObjects() {}

    public static JsonObject object(String text) {
        return JsonReader.read(text) instanceof ParseResult.Documents(var documents)
                        && documents.getFirst().root() instanceof JsonObject object
                ? object
                : fail(text);
    }

    private static JsonObject fail(String text) {
        throw new IllegalArgumentException("no JSON object: " + text);
    }

    /// A value with every field set.
    public static JsonObject full(Struct struct) {
        return struct(struct, 0);
    }

    private static JsonObject struct(Struct struct, int depth) {
        var members = new LinkedHashMap<String, Json>();
        for (var field : struct.fields().all()) {
            if (depth < DEPTH || field.required()) {
                members.put(field.name(), value(field.type(), depth + 1));
            }
        }
        return new JsonObject(members);
    }

    private static Json value(SchemaType type, int depth) {
        return switch (type) {
            case Struct struct ->
                    struct.name().endsWith("JSONSchemaProps") && depth > 8
                            ? JsonObject.EMPTY
                            : struct(struct, depth);
            case ListOf list -> Json.array(value(list.item(), depth + 1));
            case MapOf map -> JsonObject.of("key", value(map.value(), depth + 1));
            case Scalar scalar -> scalar(scalar);
        };
    }

    private static Json scalar(Scalar scalar) {
        return switch (scalar) {
            case STRING -> Json.of("text");
            case BOOLEAN -> Json.of(true);
            case INT32, INT64, NUMBER, INT_OR_STRING -> Json.of(7);
            case BYTES -> Json.of("YWJj");
            case TIME -> Json.of("2026-01-31T12:00:00Z");
            case MICRO_TIME -> Json.of("2026-01-31T12:00:00.123456Z");
            case DURATION -> Json.of("1m30s");
            case QUANTITY -> Json.of("10Gi");
            case ANY -> JsonObject.of("any", Json.of(true));
        };
    }
}
