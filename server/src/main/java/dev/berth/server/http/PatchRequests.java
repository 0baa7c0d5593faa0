package dev.berth.server.http;

import dev.berth.core.admission.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.schema.SchemaType;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.patch.ApplyResult;
import dev.berth.server.patch.JsonPatch;
import dev.berth.server.patch.MergePatch;
import dev.berth.server.patch.PatchRejection;
import dev.berth.server.patch.PatchResult;
import dev.berth.server.patch.PatchedObject;
import dev.berth.server.patch.ServerSideApply;
import dev.berth.server.patch.StrategicMergePatch;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.FieldOwnership;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Carries out patches of all four kinds.
final class PatchRequests {

    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    /// What came of a patch.
    record Outcome(ObjectWrites.Written written, List<String> warnings) {}

    /// Where a patch goes.
    record Place(Resource resource, RequestTarget.OfObjects target, ObjectWrites.Part part) {
        private ApiError.About about() {
            return resource.about(target.name());
        }
    }

    private final Store store;
    private final ObjectWrites writes;
    private final RequestBodies bodies;
    private final FieldTypes types;

    PatchRequests(Store store, ObjectWrites writes, RequestBodies bodies, FieldTypes types) {
        this.store = store;
        this.writes = writes;
        this.bodies = bodies;
        this.types = types;
    }

    Outcome patch(ApiRequest asked, Place place, RequestContext context, FieldManager writer) {
        if (asked.contentType().equals(APPLY)) {
            return apply(asked, place, context, writer.applying());
        }
        var patch = json(asked);
        var warnings = new ArrayList<String>();
        var resource = place.resource;
        var written =
                writes.change(
                        resource,
                        place.part,
                        place.target.name(),
                        context,
                        writer,
                        old -> {
                            var version = place.target.version();
                            var before = resource.fromInternal(version, old);
                            var type = types.of(resource, version);
                            var after =
                                    resource.isCustom() && asked.contentType().equals(STRATEGIC)
                                            ? unsupported(true)
                                            : result(asked.contentType(), before, patch, type);
                            var object = patched(place.about(), after);
                            checkSize(asked, place, object);
                            var sent = sentInPatch(asked, place, object, patch);
                            warnings.clear();
                            warnings.addAll(sent.warnings());
                            return sent.object();
                        });
        return new Outcome(written, warnings);
    }

    private void checkSize(ApiRequest asked, Place place, JsonObject object) {
        if (RequestBodies.mayExceed(asked, StoredSize.MAX_BYTES)) {
            StoredSize.checkSent(
                    place.resource,
                    object,
                    () -> ObjectRequests.storedBytes(store, place.resource, place.target));
        }
    }

    private static Json json(ApiRequest asked) {
        if (!List.of(JSON_PATCH, MERGE, STRATEGIC).contains(asked.contentType())) {
            throw unsupportedType(false);
        }
        return RequestBodies.document(asked, RequestBodies.JSON).root();
    }

    private static PatchResult result(
            String contentType, JsonObject before, Json patch, SchemaType type) {
        return switch (contentType) {
            case JSON_PATCH -> JsonPatch.apply(before, patch);
            case MERGE -> MergePatch.apply(before, patch);
            case STRATEGIC -> StrategicMergePatch.apply(before, patch, type);
            default -> unsupported(false);
        };
    }

    private static PatchResult unsupported(boolean custom) {
        throw unsupportedType(custom);
    }

    private static RuntimeException unsupportedType(boolean custom) {
        var accepted = new ArrayList<>(List.of(JSON_PATCH, MERGE, APPLY));
        if (!custom) {
            accepted.add(2, STRATEGIC);
        }
        return ApiError.unsupportedMediaType(String.join(", ", accepted)).exception();
    }

    private static JsonObject patched(ApiError.About about, PatchResult result) {
        return switch (result) {
            case PatchedObject(var object) -> object;
            case PatchRejection rejected -> throw failure(about, rejected).exception();
        };
    }

    private static ApiError failure(ApiError.About about, PatchRejection rejected) {
        if (rejected.reason().isEmpty()) {
            return new ApiError(rejected.code(), "", rejected.message(), JsonObject.EMPTY);
        }
        if (!rejected.why().equals(rejected.message())) {
            // Kubernetes names neither object nor cause; clients that see no object show the text.
            return new ApiError(
                    rejected.code(),
                    rejected.reason(),
                    rejected.message() + ": " + rejected.why(),
                    JsonObject.EMPTY);
        }
        var causes = new ArrayList<Json>();
        for (var cause : rejected.causes()) {
            causes.add(
                    JsonObject.of("reason", Json.of(cause.reason()))
                            .with("message", Json.of(cause.message()))
                            .with("field", Json.of(cause.field())));
        }
        var details = JsonObject.of("name", Json.of(about.name()));
        if (!about.group().isEmpty()) {
            details = details.with("group", Json.of(about.group()));
        }
        details = details.with("kind", Json.of(about.plural()));
        return new ApiError(
                rejected.code(),
                rejected.reason(),
                rejected.message(),
                causes.isEmpty() ? details : details.with("causes", new JsonArray(causes)));
    }

    private RequestBodies.Sent sent(ApiRequest asked, Place place, JsonObject object) {
        return bodies.checked(
                asked.query(), place.resource, place.target.version(), object, List.of());
    }

    /// What a patch makes of an object can be no object of that kind. The patch is at fault then.
    private RequestBodies.Sent sentInPatch(
            ApiRequest asked, Place place, JsonObject object, Json patch) {
        var query = asked.query();
        switch (bodies.check(query, place.resource, place.target.version(), object, List.of())) {
            case RequestBodies.Checked.Fine(var sent) -> {
                return sent;
            }
            case RequestBodies.Checked.Wrong(var why) -> {
                var shown = asked.contentType().equals(STRATEGIC) ? patch : object;
                throw ApiError.invalid(
                                new ApiError.About("", "", "", ""),
                                List.of(
                                        FieldError.invalid(
                                                FieldPath.of("patch"),
                                                JsonWriter.compact(shown),
                                                why)))
                        .exception();
            }
        }
    }

    /// Server-side apply.
    private Outcome apply(ApiRequest asked, Place place, RequestContext context, FieldManager writer) {
        if (asked.query().text("fieldManager").isEmpty()) {
            throw ApiError.invalid(
                            new ApiError.About("meta.k8s.io", "patchoptions", "PatchOptions", ""),
                            List.of(
                                    FieldError.required(
                                            FieldPath.of("fieldManager"),
                                            "is required for apply patch")))
                    .exception();
        }
        var config = RequestBodies.root(RequestBodies.document(asked, RequestBodies.YAML));
        checkName(place, config);
        checkSize(asked, place, config);
        checkConfig(place, config);
        var sent = sent(asked, place, config);
        var force = asked.query().flag("force");
        var name = place.target.name();
        var key = new ObjectKey(place.resource.collection(), context.namespace(), name);
        if (store.get(key).isEmpty()) {
            return new Outcome(create(place, sent.object(), context, writer), sent.warnings());
        }
        var written =
                writes.change(
                        place.resource,
                        place.part,
                        name,
                        context,
                        writer,
                        live -> merged(place, live, sent.object(), context, writer, force));
        return new Outcome(written, sent.warnings());
    }

    /// Refuses a configuration of another kind or with fields that its schema does not have, which
    /// other writes ignore.
    private void checkConfig(Place place, JsonObject config) {
        var resource = place.resource;
        var version = place.target.version();
        ServerSideApply.problem(
                        config,
                        resource.apiVersion(version),
                        resource.kind(),
                        types.of(resource, version))
                .ifPresent(rejected -> {
                    throw failure(place.about(), rejected).exception();
                });
    }

    private static void checkName(Place place, JsonObject config) {
        var written = config.objectOrEmpty("metadata").text("name");
        var name = place.target.name();
        if (!written.equals(name)) {
            throw ApiError.badRequest(
                            written.isEmpty()
                                    ? "metadata.name is missing; it must be \"%s\"".formatted(name)
                                    : ("the name of the object (%s) does not match the name on"
                                                    + " the URL (%s)")
                                            .formatted(written, name))
                    .exception();
        }
    }

    private ObjectWrites.Written create(
            Place place, JsonObject config, RequestContext context, FieldManager writer) {
        if (place.part != ObjectWrites.Part.MAIN) {
            throw ApiError.notFound(place.about()).exception();
        }
        var resource = place.resource;
        var access =
                AuthorizationRequest.ToResource.of(
                        context.user(),
                        "create",
                        resource.group(),
                        resource.plural(),
                        context.namespace());
        var decision = context.authorizer().decide(access);
        if (!decision.isAllowed()) {
            throw ApiError.forbidden(place.about(), decision.reason()).exception();
        }
        var object = merged(place, JsonObject.EMPTY, config, context, writer, true);
        return writes.create(resource, object, context, writer);
    }

    private JsonObject merged(
            Place place,
            JsonObject live,
            JsonObject config,
            RequestContext context,
            FieldManager writer,
            boolean force) {
        var resource = place.resource;
        var apply =
                new ServerSideApply(
                        types.of(resource, resource.version()),
                        FieldOwnership.reset(resource, place.part));
        var applied = apply.apply(live, config, writer.at(context.now()), force);
        return switch (applied) {
            case ApplyResult.Merged(var object, _) -> object;
            case ApplyResult.Conflicts conflicts ->
                    throw failure(place.about(), conflicts.rejected()).exception();
            case PatchRejection rejected -> throw failure(place.about(), rejected).exception();
        };
    }

    /// A patched copy of something that is no object of the store.
    JsonObject patched(ApiRequest asked, JsonObject object) {
        var patch = json(asked);
        var result =
                asked.contentType().equals(JSON_PATCH)
                        ? JsonPatch.apply(object, patch)
                        : MergePatch.apply(object, patch);
        return patched(
                new ApiError.About("", "", object.text("kind"), name(object).orElse("")), result);
    }

    private static Optional<String> name(JsonObject object) {
        return object.objectOrEmpty("metadata").string("name");
    }
}
