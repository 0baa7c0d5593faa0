package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.Json.JsonBool;
import dev.berth.model.json.Json.JsonString;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/// Serializes an OpenAPI 2 document as protobuf. kubectl requests only this form when it validates
/// a file with a `List` of objects. Field numbers are those of `openapi.v2` (gnostic).
public final class OpenApiBinary {

    /// Content type of responses.
    public static final String TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /// Common prefix of the media types by which clients request it; not all of them are
    /// well-formed.
    public static final String REQUESTED_TYPE_PREFIX =
            "application/com.github.proto-openapi.spec.v2";

    private static final Map<String, Integer> METHODS =
            Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);
    private static final Map<String, Integer> SCHEMA_TEXTS =
            Map.of("$ref", 1, "format", 2, "title", 3, "description", 4, "pattern", 13);
    private static final Map<String, Integer> SCHEMA_COUNTS =
            Map.of(
                    "maxLength", 11,
                    "minLength", 12,
                    "maxItems", 14,
                    "minItems", 15,
                    "maxProperties", 17,
                    "minProperties", 18);
    private static final int QUERY = 3;
    private static final int PATH = 4;

    private OpenApiBinary() {}

    public static byte[] of(JsonObject document) {
        var info = document.objectOrEmpty("info");
        var paths = new BinaryMessage();
        named(2, document.objectOrEmpty("paths"), paths, OpenApiBinary::pathItem);
        return new BinaryMessage()
                .text(1, document.text("swagger"))
                .message(
                        2,
                        new BinaryMessage()
                                .text(1, info.text("title"))
                                .text(2, info.text("version")))
                .message(8, paths)
                .message(9, schemas(document.objectOrEmpty("definitions")))
                .bytes();
    }

    /// Adds the members of an object as pairs of name and value.
    private static void named(
            int number,
            JsonObject members,
            BinaryMessage into,
            BiFunction<String, JsonObject, BinaryMessage> value) {
        members.members()
                .forEach((name, json) -> {
                    if (json instanceof JsonObject object) {
                        into.message(
                                number,
                                new BinaryMessage()
                                        .text(1, name)
                                        .message(2, value.apply(name, object)));
                    }
                });
    }

    private static BinaryMessage pathItem(String path, JsonObject item) {
        var message = new BinaryMessage();
        item.members()
                .forEach((name, json) -> {
                    if (METHODS.containsKey(name) && json instanceof JsonObject operation) {
                        message.message(METHODS.get(name), operation(operation));
                    }
                });
        parameters(9, item.objects("parameters"), message);
        return message;
    }

    private static BinaryMessage operation(JsonObject operation) {
        var message =
                new BinaryMessage()
                        .text(3, operation.text("description"))
                        .texts(7, operation.strings("consumes"));
        parameters(8, operation.objects("parameters"), message);
        var responses = new BinaryMessage();
        named(
                1,
                operation.objectOrEmpty("responses"),
                responses,
                (_, response) -> new BinaryMessage().message(1, response(response)));
        message.message(9, responses);
        extensions(13, operation, message);
        return message;
    }

    private static BinaryMessage response(JsonObject response) {
        return new BinaryMessage()
                .text(1, response.text("description"))
                .message(
                        2,
                        new BinaryMessage().message(1, schema(response.objectOrEmpty("schema"))));
    }

    private static void parameters(int number, List<JsonObject> parameters, BinaryMessage into) {
        for (var parameter : parameters) {
            var either =
                    switch (parameter.text("in")) {
                        case "body" -> new BinaryMessage().message(1, body(parameter));
                        case "path" -> new BinaryMessage().message(2, plain(PATH, parameter));
                        default -> new BinaryMessage().message(2, plain(QUERY, parameter));
                    };
            into.message(number, new BinaryMessage().message(1, either));
        }
    }

    private static BinaryMessage body(JsonObject parameter) {
        return new BinaryMessage()
                .text(1, parameter.text("description"))
                .text(2, parameter.text("name"))
                .text(3, "body")
                .flag(4, parameter.flag("required").orElse(false))
                .message(5, schema(parameter.objectOrEmpty("schema")));
    }

    private static BinaryMessage plain(int where, JsonObject parameter) {
        return new BinaryMessage()
                .message(
                        where,
                        new BinaryMessage()
                                .flag(1, parameter.flag("required").orElse(false))
                                .text(2, parameter.text("in"))
                                .text(3, parameter.text("description"))
                                .text(4, parameter.text("name"))
                                .text(where == PATH ? 5 : 6, parameter.text("type")));
    }

    private static BinaryMessage schemas(JsonObject byName) {
        var message = new BinaryMessage();
        named(1, byName, message, (_, one) -> schema(one));
        return message;
    }

    private static BinaryMessage schema(JsonObject schema) {
        var message = new BinaryMessage();
        schema.members()
                .forEach((name, value) -> {
                    if (SCHEMA_TEXTS.containsKey(name) && value instanceof JsonString(var text)) {
                        message.text(SCHEMA_TEXTS.get(name), text);
                    } else if (SCHEMA_COUNTS.containsKey(name)) {
                        schema.number(name)
                                .ifPresent(count -> message.number(SCHEMA_COUNTS.get(name), count));
                    } else {
                        member(name, value, message);
                    }
                });
        extensions(31, schema, message);
        return message;
    }

    private static void member(String name, Json value, BinaryMessage into) {
        switch (value) {
            case JsonArray array when name.equals("required") ->
                    array.items().forEach(item -> into.text(19, word(item)));
            case JsonArray array when name.equals("enum") ->
                    array.items().forEach(item -> into.message(20, any(item)));
            case JsonString(var type) when name.equals("type") ->
                    into.message(22, new BinaryMessage().text(1, type));
            case JsonObject items when name.equals("items") ->
                    into.message(23, new BinaryMessage().message(1, schema(items)));
            case JsonObject others when name.equals("additionalProperties") ->
                    into.message(21, new BinaryMessage().message(1, schema(others)));
            case JsonBool(var allowed) when name.equals("additionalProperties") ->
                    into.message(21, new BinaryMessage().flag(2, allowed));
            case JsonObject properties when name.equals("properties") ->
                    into.message(25, schemas(properties));
            case Json json when name.equals("default") -> into.message(5, any(json));
            default -> {
                // Not in this format; clients that need it read version 3.
            }
        }
    }

    private static String word(Json json) {
        return json instanceof JsonString(var text) ? text : JsonWriter.compact(json);
    }

    private static void extensions(int number, JsonObject of, BinaryMessage into) {
        of.members()
                .forEach((name, value) -> {
                    if (name.startsWith("x-")) {
                        into.message(
                                number, new BinaryMessage().text(1, name).message(2, any(value)));
                    }
                });
    }

    /// Any value is YAML text there, and JSON is YAML.
    private static BinaryMessage any(Json value) {
        return new BinaryMessage().text(2, JsonWriter.compact(value));
    }
}
