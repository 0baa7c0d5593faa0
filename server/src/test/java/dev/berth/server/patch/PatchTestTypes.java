package dev.berth.server.patch;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonReader;
import dev.berth.model.json.ParseResult.Documents;
import dev.berth.model.json.ParseResult.Malformed;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.Fields;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A test kind with a field of every type.
final class PatchTestTypes {

    static final Struct PORT =
            struct(
                    "Port",
                    field("name", Scalar.STRING),
                    required("containerPort", Scalar.INT32),
                    new Field("protocol", Scalar.STRING, "", false, Optional.of(Json.of("TCP"))));

    static final Struct CONTAINER =
            struct(
                    "Container",
                    required("name", Scalar.STRING),
                    field("image", Scalar.STRING),
                    field("args", atomicList(Scalar.STRING)),
                    field(
                            "env",
                            byKey(
                                    "name",
                                    struct(
                                            "Env",
                                            required("name", Scalar.STRING),
                                            field("value", Scalar.STRING)))),
                    field(
                            "ports",
                            new ListOf(
                                    PORT,
                                    new Merge.ByKeys(List.of("containerPort", "protocol")),
                                    true,
                                    "containerPort",
                                    false)));

    static final Struct META =
            struct(
                    "Meta",
                    field("name", Scalar.STRING),
                    field("namespace", Scalar.STRING),
                    field("uid", Scalar.STRING),
                    field("resourceVersion", Scalar.STRING),
                    field("managedFields", atomicList(Scalar.ANY)),
                    field("labels", new MapOf(Scalar.STRING, false)),
                    field("annotations", new MapOf(Scalar.STRING, false)),
                    field(
                            "finalizers",
                            new ListOf(Scalar.STRING, new Merge.AsSet(), true, "", false)));

    static final Struct STRATEGY =
            struct(
                    "Strategy",
                    field("type", Scalar.STRING),
                    field("rolling", struct("Rolling", field("max", Scalar.INT_OR_STRING))));

    static final Struct KIND =
            struct(
                    "Kind",
                    field("apiVersion", Scalar.STRING),
                    field("kind", Scalar.STRING),
                    field("metadata", META),
                    field(
                            "spec",
                            struct(
                                    "Spec",
                                    field("replicas", Scalar.INT32),
                                    field("paused", Scalar.BOOLEAN),
                                    field(
                                            "selector",
                                            new Struct(
                                                    "Selector",
                                                    "",
                                                    fields(
                                                            field(
                                                                    "matchLabels",
                                                                    new MapOf(
                                                                            Scalar.STRING, false))),
                                                    true,
                                                    false)),
                                    field("options", new MapOf(Scalar.STRING, true)),
                                    field("containers", byKey("name", CONTAINER)),
                                    field("args", atomicList(Scalar.STRING)),
                                    field("strategy", STRATEGY),
                                    field("opaque", Scalar.ANY),
                                    field(
                                            "extra",
                                            new Struct("Extra", "", fields(), false, true)))),
                    field(
                            "status",
                            struct(
                                    "Status",
                                    field("ready", Scalar.INT32),
                                    field(
                                            "conditions",
                                            byKey(
                                                    "type",
                                                    struct(
                                                            "Condition",
                                                            required("type", Scalar.STRING),
                                                            field("status", Scalar.STRING)))))));

    private PatchTestTypes() {}

    static JsonObject object(String text) {
        return (JsonObject) json(text);
    }

    /// JSON with single quotes, for readable Java.
    static Json json(String text) {
        return switch (JsonReader.read(text.replace('\'', '"'))) {
            case Documents(var documents) -> documents.getFirst().root();
            case Malformed(var message, _, _) -> throw new IllegalArgumentException(message);
        };
    }

    static Struct struct(String name, Field... fields) {
        return new Struct(name, "", fields(fields), false, false);
    }

    static Fields fields(Field... fields) {
        var all = List.of(fields);
        return new Fields() {
            @Override
            public List<Field> all() {
                return all;
            }

            @Override
            public @Nullable Field named(String name) {
                return all.stream().filter(f -> f.name().equals(name)).findFirst().orElse(null);
            }
        };
    }

    static Field field(String name, SchemaType type) {
        return new Field(name, type, "", false, Optional.empty());
    }

    static Field required(String name, SchemaType type) {
        return new Field(name, type, "", true, Optional.empty());
    }

    static ListOf atomicList(SchemaType item) {
        return new ListOf(item, new Merge.Atomic(), false, "", false);
    }

    static ListOf byKey(String key, Struct item) {
        return new ListOf(item, new Merge.ByKeys(List.of(key)), true, key, false);
    }
}
