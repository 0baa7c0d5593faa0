package dev.berth.server.schema;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.schema.SchemaReader;
import dev.berth.schema.SchemaType;
import dev.berth.schema.SchemaType.Struct;
import dev.berth.schema.Schemas;
import dev.berth.server.schema.OpenApiTypes.Dialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The addresses of a document and what can be done there.
final class OpenApiPaths {

    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private static final List<String> PATCHES =
            List.of(
                    "application/apply-patch+yaml",
                    "application/json-patch+json",
                    "application/merge-patch+json",
                    "application/strategic-merge-patch+json");

    /// Of kinds that users define nobody knows how their lists merge.
    private static final List<String> CUSTOM_PATCHES = PATCHES.subList(0, 3);

    /// What a method does with an object or with all of them.
    ///
    /// @param action as clients know it: `list`, `post`, …
    /// @param body what is sent; null for nothing
    private record Act(
            String verb,
            String method,
            String action,
            List<Parameter> parameters,
            Body body,
            Answer answer) {}

    private enum Body {
        NONE,
        OBJECT,
        PATCH,
        DELETE_OPTIONS
    }

    private enum Answer {
        OBJECT,
        LIST,
        STATUS
    }

    /// @param type as in OpenAPI
    private record Parameter(String name, String type, String description) {}

    private static final Parameter NAME =
            new Parameter("name", "string", "The name of the object.");
    private static final Parameter NAMESPACE =
            new Parameter("namespace", "string", "The namespace.");
    private static final Parameter PRETTY =
            new Parameter("pretty", "string", "Whether the answer is indented for people.");
    private static final Parameter DRY_RUN =
            new Parameter("dryRun", "string", "All to check the request without storing anything.");
    private static final Parameter FIELD_MANAGER =
            new Parameter("fieldManager", "string", "The name of the writer.");
    private static final Parameter FIELD_VALIDATION =
            new Parameter(
                    "fieldValidation",
                    "string",
                    "What becomes of fields that are not known: Ignore, Warn or Strict.");
    private static final Parameter FORCE =
            new Parameter("force", "boolean", "Whether apply takes fields from other writers.");

    private static final List<Parameter> WRITING =
            List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION);
    private static final List<Parameter> PATCHING =
            List.of(PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE);
    private static final List<Parameter> DELETING =
            List.of(
                    PRETTY,
                    DRY_RUN,
                    new Parameter("gracePeriodSeconds", "integer", "How long ending may take."),
                    new Parameter("orphanDependents", "boolean", "See propagationPolicy."),
                    new Parameter(
                            "propagationPolicy", "string", "What becomes of what belongs to it."));
    private static final List<Parameter> LISTING =
            List.of(
                    PRETTY,
                    new Parameter("allowWatchBookmarks", "boolean", "Whether bookmarks are sent."),
                    new Parameter("continue", "string", "Where the last part of the list ended."),
                    new Parameter("fieldSelector", "string", "A choice of objects by fields."),
                    new Parameter("labelSelector", "string", "A choice of objects by labels."),
                    new Parameter("limit", "integer", "How many objects to answer at most."),
                    new Parameter("resourceVersion", "string", "How new the answer must be."),
                    new Parameter(
                            "resourceVersionMatch", "string", "How resourceVersion is meant."),
                    new Parameter(
                            "sendInitialEvents", "boolean", "Whether a watch begins with a list."),
                    new Parameter("timeoutSeconds", "integer", "How long a watch lasts."),
                    new Parameter("watch", "boolean", "Whether changes are sent as they happen."));

    private static final List<Act> ON_ALL =
            List.of(
                    new Act("list", "get", "list", LISTING, Body.NONE, Answer.LIST),
                    new Act("create", "post", "post", WRITING, Body.OBJECT, Answer.OBJECT),
                    new Act(
                            "deletecollection",
                            "delete",
                            "deletecollection",
                            LISTING,
                            Body.DELETE_OPTIONS,
                            Answer.STATUS));

    private static final List<Act> ON_ONE =
            List.of(
                    new Act("get", "get", "get", List.of(PRETTY), Body.NONE, Answer.OBJECT),
                    new Act("update", "put", "put", WRITING, Body.OBJECT, Answer.OBJECT),
                    new Act("patch", "patch", "patch", PATCHING, Body.PATCH, Answer.OBJECT),
                    new Act(
                            "delete",
                            "delete",
                            "delete",
                            DELETING,
                            Body.DELETE_OPTIONS,
                            Answer.STATUS));

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
        var shape = served.shape();
        types.is(shape, served.group(), served.version(), served.kind());
        types.is(schemas.listOf(shape), served.group(), served.version(), served.kind() + "List");
        types.is(
                schemas.struct(META + "DeleteOptions"),
                served.group(),
                served.version(),
                "DeleteOptions");
        types.is(
                schemas.struct(META + "WatchEvent"),
                served.group(),
                served.version(),
                "WatchEvent");
        served.schema().ifPresent(schema -> publish(served, schema));
        var root = "/" + served.root() + "/";
        var home = root + (served.namespaced() ? "namespaces/{namespace}/" : "") + served.plural();
        var target =
                new Target(
                        served.group(),
                        served.version(),
                        served.kind(),
                        shape,
                        served.schema().isPresent());
        put(home, ON_ALL, served.verbs(), target, served.namespaced(), false);
        if (served.namespaced()) {
            put(root + served.plural(), ON_ALL.subList(0, 1), served.verbs(), target, false, false);
        }
        put(home + "/{name}", ON_ONE, served.verbs(), target, served.namespaced(), true);
        for (var part : served.parts()) {
            var of =
                    new Target(
                            part.group(), part.version(), part.kind(), part.shape(), target.custom);
            var acts = new ArrayList<>(ON_ONE);
            acts.add(ON_ALL.get(1));
            put(home + "/{name}/" + part.name(), acts, part.verbs(), of, served.namespaced(), true);
        }
        for (var stream : served.streams()) {
            put(home + "/{name}/" + stream.name(), stream, served);
        }
    }

    /// A conversation has everything in its address, and its answer is text.
    private void put(String path, OpenApiResource.Stream stream, OpenApiResource served) {
        var item = new LinkedHashMap<String, Json>();
        for (var verb : stream.verbs().stream().sorted().toList()) {
            var isRead = verb.equals("get");
            var action = stream.name().equals("log") ? "get" : "connect";
            var operation = new LinkedHashMap<String, Json>();
            operation.put(
                    "description",
                    Json.of("The action %s of %s.".formatted(action, stream.name())));
            var text = JsonObject.of("type", Json.of("string"));
            var answer = JsonObject.of("description", Json.of("OK"));
            operation.put(
                    "responses",
                    JsonObject.of(
                            "200",
                            types.dialect() == Dialect.V3
                                    ? answer.with("content", content(List.of("*/*"), text))
                                    : answer.with("schema", text)));
            operation.put("x-kubernetes-action", Json.of(action));
            operation.put(
                    "x-kubernetes-group-version-kind",
                    OpenApiTypes.kindName(served.group(), served.version(), stream.kind()));
            item.put(isRead ? "get" : "post", new JsonObject(operation));
        }
        var parameters = new ArrayList<Json>();
        for (var field : stream.options().fields().all()) {
            if (SchemaReader.typeFields().contains(field)) {
                continue;
            }
            parameters.add(
                    parameter(
                            new Parameter(field.name(), word(field.type()), field.description()),
                            false));
        }
        parameters.add(parameter(NAME, true));
        parameters.add(parameter(NAMESPACE, true));
        item.put("parameters", new JsonArray(parameters));
        paths.put(path, new JsonObject(item));
    }

    /// The type of a parameter; of a list each item is a parameter.
    private static String word(SchemaType type) {
        return switch (type) {
            case SchemaType.Scalar.BOOLEAN -> "boolean";
            case SchemaType.Scalar.INT32, SchemaType.Scalar.INT64 -> "integer";
            case SchemaType.ListOf list -> word(list.item());
            case SchemaType.Scalar _, SchemaType.MapOf _, Struct _ -> "string";
        };
    }

    /// The kind that an address is about.
    private record Target(
            String group, String version, String kind, Struct shape, boolean custom) {}

    /// A kind that users define is described in their own words.
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
            List<Act> acts,
            Set<String> verbs,
            Target target,
            boolean namespaced,
            boolean named) {
        var item = new LinkedHashMap<String, Json>();
        for (var act : acts) {
            if (verbs.contains(act.verb)) {
                item.put(act.method, operation(act, target));
            }
        }
        if (item.isEmpty()) {
            return;
        }
        var parameters = new ArrayList<Json>();
        if (named) {
            parameters.add(parameter(NAME, true));
        }
        if (namespaced) {
            parameters.add(parameter(NAMESPACE, true));
        }
        if (!parameters.isEmpty()) {
            item.put("parameters", new JsonArray(parameters));
        }
        paths.put(path, new JsonObject(item));
    }

    private JsonObject operation(Act act, Target target) {
        var members = new LinkedHashMap<String, Json>();
        members.put(
                "description", Json.of("The action %s of %s.".formatted(act.action, target.kind)));
        var parameters = new ArrayList<Json>();
        act.parameters.forEach(one -> parameters.add(parameter(one, false)));
        body(act, target, members, parameters);
        members.put("parameters", new JsonArray(parameters));
        members.put("responses", responses(act, target));
        members.put("x-kubernetes-action", Json.of(act.action));
        members.put(
                "x-kubernetes-group-version-kind",
                OpenApiTypes.kindName(target.group, target.version, target.kind));
        return new JsonObject(members);
    }

    private JsonObject parameter(Parameter is, boolean inPath) {
        var schema = JsonObject.of("type", Json.of(is.type));
        var members = new LinkedHashMap<String, Json>();
        members.put("name", Json.of(is.name));
        members.put("in", Json.of(inPath ? "path" : "query"));
        members.put("description", Json.of(is.description));
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

    private void body(Act act, Target target, Map<String, Json> members, List<Json> parameters) {
        if (act.body == Body.NONE) {
            return;
        }
        var schema =
                switch (act.body) {
                    case OBJECT -> types.reference(target.shape);
                    case DELETE_OPTIONS -> types.reference(schemas.struct(META + "DeleteOptions"));
                    case PATCH, NONE -> JsonObject.of("type", Json.of("object"));
                };
        var media = act.body == Body.PATCH ? patches(target) : List.of("*/*");
        if (types.dialect() == Dialect.V3) {
            members.put("requestBody", JsonObject.of("content", content(media, schema)));
            return;
        }
        members.put("consumes", Json.array(media.stream().map(Json::of).toList()));
        parameters.add(
                JsonObject.of("name", Json.of("body"))
                        .with("in", Json.of("body"))
                        .with("required", Json.of(act.body != Body.DELETE_OPTIONS))
                        .with("schema", schema));
    }

    private static List<String> patches(Target target) {
        return target.custom ? CUSTOM_PATCHES : PATCHES;
    }

    private JsonObject responses(Act act, Target target) {
        var shape =
                switch (act.answer) {
                    case OBJECT -> target.shape;
                    case LIST -> schemas.listOf(target.shape);
                    case STATUS -> schemas.struct(META + "Status");
                };
        var schema = types.reference(shape);
        var ok = JsonObject.of("description", Json.of("OK"));
        var answer =
                types.dialect() == Dialect.V3
                        ? ok.with(
                                "content",
                                content(List.of("application/json", "application/yaml"), schema))
                        : ok.with("schema", schema);
        var answers = JsonObject.of("200", answer);
        return act.method.equals("post")
                ? answers.with("201", answer.with("description", Json.of("Created")))
                : answers;
    }

    private static JsonObject content(List<String> media, JsonObject schema) {
        var content = new LinkedHashMap<String, Json>();
        media.forEach(one -> content.put(one, JsonObject.of("schema", schema)));
        return new JsonObject(content);
    }
}
