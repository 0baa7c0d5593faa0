package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaReader;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.server.schema.OpenApiParameters.Parameter;
import dev.berth.server.schema.OpenApiTypes.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The `paths` of an OpenAPI document and their operations.
final class OpenApiPaths {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private static final List<String> PATCHES =
            List.of(
                    "application/apply-patch+yaml",
                    "application/json-patch+json",
                    "application/merge-patch+json",
                    "application/strategic-merge-patch+json");

    /// Strategic merge patch needs a built-in type.
    private static final List<String> CUSTOM_PATCHES = PATCHES.subList(0, 3);

    /// An operation on an object or on a collection.
    ///
    /// @param action `x-kubernetes-action`: `list`, `post`, …
    /// @param body the request body
    private record Operation(
            String verb,
            String method,
            String action,
            List<Parameter> parameters,
            Body body,
            ResponseBody response) {}

    private enum Body {
        NONE,
        OBJECT,
        PATCH,
        DELETE_OPTIONS
    }

    private enum ResponseBody {
        OBJECT,
        LIST,
        STATUS
    }

    private static final List<Operation> ON_COLLECTION =
            List.of(
                    new Operation(
                            "list",
                            "get",
                            "list",
                            OpenApiParameters.LISTING,
                            Body.NONE,
                            ResponseBody.LIST),
                    new Operation(
                            "create",
                            "post",
                            "post",
                            OpenApiParameters.WRITING,
                            Body.OBJECT,
                            ResponseBody.OBJECT),
                    new Operation(
                            "deletecollection",
                            "delete",
                            "deletecollection",
                            OpenApiParameters.LISTING,
                            Body.DELETE_OPTIONS,
                            ResponseBody.STATUS));

    private static final List<Operation> ON_OBJECT =
            List.of(
                    new Operation(
                            "get",
                            "get",
                            "get",
                            List.of(OpenApiParameters.PRETTY),
                            Body.NONE,
                            ResponseBody.OBJECT),
                    new Operation(
                            "update",
                            "put",
                            "put",
                            OpenApiParameters.WRITING,
                            Body.OBJECT,
                            ResponseBody.OBJECT),
                    new Operation(
                            "patch",
                            "patch",
                            "patch",
                            OpenApiParameters.PATCHING,
                            Body.PATCH,
                            ResponseBody.OBJECT),
                    new Operation(
                            "delete",
                            "delete",
                            "delete",
                            OpenApiParameters.DELETING,
                            Body.DELETE_OPTIONS,
                            ResponseBody.STATUS));

    private final OpenApiTypes types;
    private final Schemas schemas;
    private final Map<String, Json> paths = new TreeMap<>();

    OpenApiPaths(OpenApiTypes types, Schemas schemas) {
        this.types = types;
        this.schemas = schemas;
    }

    JsonObject toJson() {
        return new JsonObject(paths);
    }

    void add(OpenApiResource served) {
        declareKinds(served);
        served.schema().ifPresent(schema -> publish(served, schema));
        var root = "/" + served.root() + "/";
        var collection =
                root + (served.namespaced() ? "namespaces/{namespace}/" : "") + served.plural();
        var target =
                new Target(
                        served.group(),
                        served.version(),
                        served.kind(),
                        served.shape(),
                        served.schema().isPresent());
        put(collection, ON_COLLECTION, served.verbs(), target, served.namespaced(), false);
        if (served.namespaced()) {
            put(
                    root + served.plural(),
                    ON_COLLECTION.subList(0, 1),
                    served.verbs(),
                    target,
                    false,
                    false);
        }
        put(collection + "/{name}", ON_OBJECT, served.verbs(), target, served.namespaced(), true);
        for (var subresource : served.subresources()) {
            var of =
                    new Target(
                            subresource.group(),
                            subresource.version(),
                            subresource.kind(),
                            subresource.shape(),
                            target.custom);
            var operations = new ArrayList<>(ON_OBJECT);
            operations.add(ON_COLLECTION.get(1));
            put(
                    collection + "/{name}/" + subresource.name(),
                    operations,
                    subresource.verbs(),
                    of,
                    served.namespaced(),
                    true);
        }
        for (var streaming : served.streamingSubresources()) {
            put(collection + "/{name}/" + streaming.name(), streaming, served);
        }
    }

    private void declareKinds(OpenApiResource served) {
        var shape = served.shape();
        types.declareKind(shape, served.group(), served.version(), served.kind());
        types.declareKind(
                schemas.listOf(shape), served.group(), served.version(), served.kind() + "List");
        types.declareKind(
                schemas.struct(META + "DeleteOptions"),
                served.group(),
                served.version(),
                "DeleteOptions");
        types.declareKind(
                schemas.struct(META + "WatchEvent"),
                served.group(),
                served.version(),
                "WatchEvent");
    }

    /// A streaming subresource has its options in the URL and responds with text.
    private void put(
            String path, OpenApiResource.StreamingSubresource streaming, OpenApiResource served) {
        var item = new LinkedHashMap<String, Json>();
        for (var verb : streaming.verbs().stream().sorted().toList()) {
            var isRead = verb.equals("get");
            var action = streaming.name().equals("log") ? "get" : "connect";
            var operation = new LinkedHashMap<String, Json>();
            operation.put(
                    "description",
                    Json.of("The action %s of %s.".formatted(action, streaming.name())));
            var text = JsonObject.of("type", Json.of("string"));
            var response = JsonObject.of("description", Json.of("OK"));
            operation.put(
                    "responses",
                    JsonObject.of(
                            "200",
                            types.dialect() == Dialect.V3
                                    ? response.with("content", content(List.of("*/*"), text))
                                    : response.with("schema", text)));
            operation.put("x-kubernetes-action", Json.of(action));
            operation.put(
                    "x-kubernetes-group-version-kind",
                    OpenApiTypes.kindName(served.group(), served.version(), streaming.kind()));
            item.put(isRead ? "get" : "post", new JsonObject(operation));
        }
        var parameters = new ArrayList<Json>();
        for (var field : streaming.options().fields().all()) {
            if (SchemaReader.typeFields().contains(field)) {
                continue;
            }
            parameters.add(
                    parameter(
                            new Parameter(
                                    field.name(), typeName(field.type()), field.description()),
                            false));
        }
        parameters.add(parameter(OpenApiParameters.NAME, true));
        parameters.add(parameter(OpenApiParameters.NAMESPACE, true));
        item.put("parameters", new JsonArray(parameters));
        paths.put(path, new JsonObject(item));
    }

    /// OpenAPI type of a parameter; each item of a list is a parameter of its own.
    private static String typeName(SchemaType type) {
        return switch (type) {
            case SchemaType.Scalar.BOOLEAN -> "boolean";
            case SchemaType.Scalar.INT32, SchemaType.Scalar.INT64 -> "integer";
            case SchemaType.ListOf list -> typeName(list.item());
            case SchemaType.Scalar _, SchemaType.MapOf _, Struct _ -> "string";
        };
    }

    /// The kind that a path refers to.
    private record Target(
            String group, String version, String kind, Struct shape, boolean custom) {}

    /// Publishes the schema of a custom resource unchanged.
    private void publish(OpenApiResource served, JsonObject schema) {
        var meta = types.reference(schemas.objectMeta());
        var properties = new LinkedHashMap<>(schema.objectOrEmpty("properties").members());
        for (var field : SchemaReader.typeFields()) {
            properties.put(
                    field.name(),
                    JsonObject.of("type", Json.of("string"))
                            .with("description", Json.of(field.description())));
        }
        properties.put(
                "metadata",
                types.dialect() == Dialect.V3 ? JsonObject.of("allOf", Json.array(meta)) : meta);
        types.publish(served.shape(), schema.with("properties", new JsonObject(properties)));
    }

    private void put(
            String path,
            List<Operation> operations,
            Set<String> verbs,
            Target target,
            boolean namespaced,
            boolean named) {
        var item = new LinkedHashMap<String, Json>();
        for (var operation : operations) {
            if (verbs.contains(operation.verb)) {
                item.put(operation.method, operation(operation, target));
            }
        }
        if (item.isEmpty()) {
            return;
        }
        var parameters = new ArrayList<Json>();
        if (named) {
            parameters.add(parameter(OpenApiParameters.NAME, true));
        }
        if (namespaced) {
            parameters.add(parameter(OpenApiParameters.NAMESPACE, true));
        }
        if (!parameters.isEmpty()) {
            item.put("parameters", new JsonArray(parameters));
        }
        paths.put(path, new JsonObject(item));
    }

    private JsonObject operation(Operation operation, Target target) {
        var members = new LinkedHashMap<String, Json>();
        members.put(
                "description",
                Json.of("The action %s of %s.".formatted(operation.action, target.kind)));
        var parameters = new ArrayList<Json>();
        operation.parameters.forEach(one -> parameters.add(parameter(one, false)));
        body(operation, target, members, parameters);
        members.put("parameters", new JsonArray(parameters));
        members.put("responses", responses(operation, target));
        members.put("x-kubernetes-action", Json.of(operation.action));
        members.put(
                "x-kubernetes-group-version-kind",
                OpenApiTypes.kindName(target.group, target.version, target.kind));
        return new JsonObject(members);
    }

    private JsonObject parameter(Parameter parameter, boolean inPath) {
        var schema = JsonObject.of("type", Json.of(parameter.type()));
        var members = new LinkedHashMap<String, Json>();
        members.put("name", Json.of(parameter.name()));
        members.put("in", Json.of(inPath ? "path" : "query"));
        members.put("description", Json.of(parameter.description()));
        if (inPath) {
            members.put("required", Json.of(true));
        }
        if (types.dialect() == Dialect.V3) {
            members.put("schema", schema);
        } else {
            members.putAll(schema.members());
        }
        return new JsonObject(members);
    }

    private void body(
            Operation operation, Target target, Map<String, Json> members, List<Json> parameters) {
        if (operation.body == Body.NONE) {
            return;
        }
        var schema =
                switch (operation.body) {
                    case OBJECT -> types.reference(target.shape);
                    case DELETE_OPTIONS -> types.reference(schemas.struct(META + "DeleteOptions"));
                    case PATCH, NONE -> JsonObject.of("type", Json.of("object"));
                };
        var media = operation.body == Body.PATCH ? patches(target) : List.of("*/*");
        if (types.dialect() == Dialect.V3) {
            members.put("requestBody", JsonObject.of("content", content(media, schema)));
            return;
        }
        members.put("consumes", Json.array(media.stream().map(Json::of).toList()));
        parameters.add(
                JsonObject.of("name", Json.of("body"))
                        .with("in", Json.of("body"))
                        .with("required", Json.of(operation.body != Body.DELETE_OPTIONS))
                        .with("schema", schema));
    }

    private static List<String> patches(Target target) {
        return target.custom ? CUSTOM_PATCHES : PATCHES;
    }

    private JsonObject responses(Operation operation, Target target) {
        var shape =
                switch (operation.response) {
                    case OBJECT -> target.shape;
                    case LIST -> schemas.listOf(target.shape);
                    case STATUS -> schemas.struct(META + "Status");
                };
        var schema = types.reference(shape);
        var ok = JsonObject.of("description", Json.of("OK"));
        var response =
                types.dialect() == Dialect.V3
                        ? ok.with(
                                "content",
                                content(List.of("application/json", "application/yaml"), schema))
                        : ok.with("schema", schema);
        var responses = JsonObject.of("200", response);
        return operation.method.equals("post")
                ? responses.with("201", response.with("description", Json.of("Created")))
                : responses;
    }

    private static JsonObject content(List<String> media, JsonObject schema) {
        var content = new LinkedHashMap<String, Json>();
        media.forEach(one -> content.put(one, JsonObject.of("schema", schema)));
        return new JsonObject(content);
    }
}
