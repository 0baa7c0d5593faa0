package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Field;
import dev.berth.schema.SchemaType.ListOf;
import dev.berth.schema.SchemaType.MapOf;
import dev.berth.schema.SchemaType.Merge;
import dev.berth.schema.SchemaType.Scalar;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The type definitions of an OpenAPI document: all referenced types, transitively.
final class OpenApiTypes {

    /// The versions of OpenAPI differ in the place of definitions and the form of references.
    enum Dialect {
        V2("#/definitions/"),
        V3("#/components/schemas/");

        private final String prefix;

        Dialect(String prefix) {
            this.prefix = prefix;
        }
    }

    /// Scalar types that Kubernetes publishes as named definitions.
    private static final Map<Scalar, String> NAMED =
            Map.of(
                    Scalar.TIME, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
                    Scalar.MICRO_TIME, "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
                    Scalar.DURATION, "io.k8s.apimachinery.pkg.apis.meta.v1.Duration",
                    Scalar.QUANTITY, "io.k8s.apimachinery.pkg.api.resource.Quantity",
                    Scalar.INT_OR_STRING, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                    Scalar.ANY, "io.k8s.apimachinery.pkg.runtime.RawExtension");

    private final Dialect dialect;
    private final Map<String, List<JsonObject>> kinds = new HashMap<>();
    private final Map<String, Json> definitions = new TreeMap<>();
    private final Deque<Struct> queue = new ArrayDeque<>();

    OpenApiTypes(Schemas schemas, Dialect dialect) {
        this.dialect = dialect;
        for (var one : schemas.kinds()) {
            var struct = schemas.kind(one.group(), one.version(), one.kind()).orElseThrow();
            declareKind(struct, one.group(), one.version(), one.kind());
        }
    }

    Dialect dialect() {
        return dialect;
    }

    /// Declares the kind of a type.
    void declareKind(Struct struct, String group, String version, String kind) {
        var all = kinds.computeIfAbsent(struct.name(), name -> new ArrayList<>());
        var name = kindName(group, version, kind);
        if (!all.contains(name)) {
            all.add(name);
        }
    }

    static JsonObject kindName(String group, String version, String kind) {
        return JsonObject.of("group", Json.of(group))
                .with("kind", Json.of(kind))
                .with("version", Json.of(version));
    }

    /// Publishes a type with another schema than that of its fields.
    void publish(Struct struct, JsonObject schema) {
        definitions.put(struct.name(), withKinds(struct, schema));
    }

    /// A reference to a type, which is then included in the document.
    JsonObject reference(Struct struct) {
        if (!definitions.containsKey(struct.name())) {
            definitions.put(struct.name(), JsonObject.EMPTY);
            queue.add(struct);
        }
        return reference(struct.name());
    }

    private JsonObject reference(String name) {
        return JsonObject.of("$ref", Json.of(dialect.prefix + name));
    }

    /// All definitions by name.
    JsonObject toJson() {
        while (!queue.isEmpty()) {
            var struct = queue.remove();
            definitions.put(struct.name(), definition(struct));
        }
        return new JsonObject(definitions);
    }

    private JsonObject definition(Struct struct) {
        var members = new LinkedHashMap<String, Json>();
        describe(members, struct.description());
        members.put("type", Json.of("object"));
        var properties = new LinkedHashMap<String, Json>();
        var required = new ArrayList<Json>();
        for (var field : struct.fields().all()) {
            properties.put(field.name(), property(field));
            if (field.required()) {
                required.add(Json.of(field.name()));
            }
        }
        if (!properties.isEmpty()) {
            members.put("properties", new JsonObject(properties));
        }
        if (!required.isEmpty()) {
            members.put("required", new JsonArray(required));
        }
        if (struct.atomic()) {
            members.put("x-kubernetes-map-type", Json.of("atomic"));
        }
        if (struct.open()) {
            members.put("x-kubernetes-preserve-unknown-fields", Json.of(true));
        }
        return withKinds(struct, new JsonObject(members));
    }

    private JsonObject withKinds(Struct struct, JsonObject schema) {
        var ofType = kinds.get(struct.name());
        return ofType == null
                ? schema
                : schema.with(
                        "x-kubernetes-group-version-kind", new JsonArray(List.copyOf(ofType)));
    }

    private JsonObject property(Field field) {
        var members = new LinkedHashMap<String, Json>();
        describe(members, field.description());
        var plain = value(field.type()).members();
        if (plain.containsKey("$ref") && (dialect == Dialect.V3)) {
            // Version 3 ignores siblings of a reference, so the reference is wrapped.
            members.put("allOf", Json.array(new JsonObject(plain)));
        } else {
            members.putAll(plain);
        }
        field.initial().ifPresent(initial -> members.put("default", initial));
        switch (field.patching()) {
            case MERGE -> {}
            case REPLACE -> members.put("x-kubernetes-patch-strategy", Json.of("replace"));
            case RETAIN_KEYS -> members.put("x-kubernetes-patch-strategy", Json.of("retainKeys"));
        }
        return new JsonObject(members);
    }

    private static void describe(Map<String, Json> members, String description) {
        if (!description.isEmpty()) {
            members.put("description", Json.of(description));
        }
    }

    private JsonObject value(SchemaType type) {
        return switch (type) {
            case Struct struct -> reference(struct);
            case ListOf list -> list(list);
            case MapOf map -> {
                var schema =
                        JsonObject.of("type", Json.of("object"))
                                .with("additionalProperties", value(map.value()));
                yield map.atomic()
                        ? schema.with("x-kubernetes-map-type", Json.of("atomic"))
                        : schema;
            }
            case Scalar scalar -> scalar(scalar);
        };
    }

    private JsonObject list(ListOf list) {
        var members = new LinkedHashMap<String, Json>();
        members.put("type", Json.of("array"));
        members.put("items", value(list.item()));
        switch (list.merge()) {
            case Merge.Atomic _ -> members.put("x-kubernetes-list-type", Json.of("atomic"));
            case Merge.AsSet _ -> members.put("x-kubernetes-list-type", Json.of("set"));
            case Merge.ByKeys(var keys) -> {
                members.put(
                        "x-kubernetes-list-map-keys",
                        Json.array(keys.stream().map(Json::of).toList()));
                members.put("x-kubernetes-list-type", Json.of("map"));
            }
        }
        if (!list.patchKey().isEmpty()) {
            members.put("x-kubernetes-patch-merge-key", Json.of(list.patchKey()));
        }
        if (list.patchMerges()) {
            members.put(
                    "x-kubernetes-patch-strategy",
                    Json.of(list.retainKeys() ? "merge,retainKeys" : "merge"));
        }
        return new JsonObject(members);
    }

    private JsonObject scalar(Scalar scalar) {
        var name = NAMED.get(scalar);
        if (name == null) {
            return schema(scalar);
        }
        definitions.putIfAbsent(name, schema(scalar));
        return reference(name);
    }

    private JsonObject schema(Scalar scalar) {
        return switch (scalar) {
            case STRING -> typed("string");
            case BOOLEAN -> typed("boolean");
            case INT32 -> typed("integer").with("format", Json.of("int32"));
            case INT64 -> typed("integer").with("format", Json.of("int64"));
            case NUMBER -> typed("number").with("format", Json.of("double"));
            case BYTES -> typed("string").with("format", Json.of("byte"));
            case TIME, MICRO_TIME -> typed("string").with("format", Json.of("date-time"));
            case DURATION -> typed("string");
            case QUANTITY ->
                    dialect == Dialect.V3
                            ? JsonObject.of("oneOf", Json.array(typed("string"), typed("number")))
                            : typed("string");
            case INT_OR_STRING ->
                    dialect == Dialect.V3
                            ? JsonObject.of("format", Json.of("int-or-string"))
                                    .with("oneOf", Json.array(typed("integer"), typed("string")))
                            : typed("string").with("format", Json.of("int-or-string"));
            case ANY -> typed("object");
        };
    }

    private static JsonObject typed(String type) {
        return JsonObject.of("type", Json.of(type));
    }
}
