package dev.berth.server.http;

import dev.berth.core.admission.field.FieldError;
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
import dev.berth.server.registry.FieldOwnership;
import dev.berth.server.registry.FieldTypes;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.StoredSize;
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Executes patches: JSON patch, merge patch, strategic merge patch and server-side apply.
final class PatchRequests {

    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String APPLY = "application/apply-patch+yaml";

    /// Result of a patch.
    ///
    /// @param warnings of decoding, in addition to those of the write
    record Patched(ObjectWrites.Written written, List<String> warnings) {}

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

    Patched patch(ObjectRequest request) {
        var contentType = request.api().contentType();
        if (contentType.equals(APPLY)) {
            return apply(request);
        }
        var patch = json(request.api());
        var warnings = new ArrayList<String>();
        var resource = request.resource();
        var written =
                writes.change(
                        resource,
                        request.part(),
                        request.name(),
                        request.context(),
                        request.fieldManager(),
                        old -> {
                            var before = resource.fromInternal(request.version(), old);
                            var type = types.of(resource, request.version());
                            var after =
                                    resource.isCustom() && contentType.equals(STRATEGIC)
                                            ? unsupported(true)
                                            : result(contentType, before, patch, type);
                            var object = patched(request.about(), after);
                            checkSize(request, object);
                            var validated = validated(request, object, patch);
                            warnings.clear();
                            warnings.addAll(validated.warnings());
                            return validated.object();
                        });
        return new Patched(written, warnings);
    }

    private void checkSize(ObjectRequest request, JsonObject object) {
        if (RequestBodies.mayExceed(request.api(), StoredSize.MAX_BYTES)) {
            StoredSize.checkSent(request.resource(), object, () -> request.storedBytes(store));
        }
    }

    private static Json json(ApiRequest request) {
        if (!List.of(JSON_PATCH, MERGE, STRATEGIC).contains(request.contentType())) {
            throw unsupportedType(false);
        }
        return RequestBodies.document(request, RequestBodies.JSON).root();
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
            case PatchRejection rejected -> throw error(about, rejected).exception();
        };
    }

    private static ApiError error(ApiError.About about, PatchRejection rejected) {
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

    /// The patched object. If it is not valid for its kind, the error is about the patch.
    private RequestBodies.Decoded validated(ObjectRequest request, JsonObject object, Json patch) {
        var result =
                bodies.validate(
                        request.query(), request.resource(), request.version(), object, List.of());
        switch (result) {
            case RequestBodies.Validated.Valid(var decoded) -> {
                return decoded;
            }
            case RequestBodies.Validated.Invalid(var message) -> {
                var shown = request.api().contentType().equals(STRATEGIC) ? patch : object;
                throw ApiError.invalid(
                                new ApiError.About("", "", "", ""),
                                List.of(
                                        FieldError.invalid(
                                                FieldPath.of("patch"),
                                                JsonWriter.compact(shown),
                                                message)))
                        .exception();
            }
        }
    }

    /// Server-side apply.
    private Patched apply(ObjectRequest request) {
        if (request.query().text("fieldManager").isEmpty()) {
            throw ApiError.invalid(
                            new ApiError.About("meta.k8s.io", "patchoptions", "PatchOptions", ""),
                            List.of(
                                    FieldError.required(
                                            FieldPath.of("fieldManager"),
                                            "is required for apply patch")))
                    .exception();
        }
        var config = RequestBodies.root(RequestBodies.document(request.api(), RequestBodies.YAML));
        checkName(request, config);
        checkSize(request, config);
        checkConfig(request, config);
        var resource = request.resource();
        var decoded =
                bodies.validated(request.query(), resource, request.version(), config, List.of());
        var force = request.query().flag("force");
        if (store.get(request.key()).isEmpty()) {
            return new Patched(create(request, decoded.object()), decoded.warnings());
        }
        var written =
                writes.change(
                        resource,
                        request.part(),
                        request.name(),
                        request.context(),
                        request.fieldManager().applying(),
                        live -> merged(request, live, decoded.object(), force));
        return new Patched(written, decoded.warnings());
    }

    /// Rejects a configuration of another kind or with fields that are not in the schema, which
    /// other writes ignore.
    private void checkConfig(ObjectRequest request, JsonObject config) {
        var resource = request.resource();
        var version = request.version();
        ServerSideApply.problem(
                        config,
                        resource.apiVersion(version),
                        resource.kind(),
                        types.of(resource, version))
                .ifPresent(rejected -> {
                    throw error(request.about(), rejected).exception();
                });
    }

    private static void checkName(ObjectRequest request, JsonObject config) {
        var written = config.objectOrEmpty("metadata").text("name");
        var name = request.name();
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

    private ObjectWrites.Written create(ObjectRequest request, JsonObject config) {
        if (request.part() != ObjectWrites.Part.MAIN) {
            throw ApiError.notFound(request.about()).exception();
        }
        var resource = request.resource();
        var context = request.context();
        var access =
                AuthorizationRequest.ResourceAttributes.of(
                        context.user(),
                        "create",
                        resource.group(),
                        resource.plural(),
                        context.namespace());
        var decision = context.authorizer().decide(access);
        if (!decision.isAllowed()) {
            throw ApiError.forbidden(request.about(), decision.reason()).exception();
        }
        var object = merged(request, JsonObject.EMPTY, config, true);
        return writes.create(resource, object, context, request.fieldManager().applying());
    }

    private JsonObject merged(
            ObjectRequest request, JsonObject live, JsonObject config, boolean force) {
        var resource = request.resource();
        var apply =
                new ServerSideApply(
                        types.of(resource, resource.version()),
                        FieldOwnership.reset(resource, request.part()));
        var manager = request.fieldManager().applying().at(request.context().now());
        return switch (apply.apply(live, config, manager, force)) {
            case ApplyResult.Merged(var object, _) -> object;
            case ApplyResult.Conflicts conflicts ->
                    throw error(request.about(), conflicts.rejected()).exception();
            case PatchRejection rejected -> throw error(request.about(), rejected).exception();
        };
    }

    /// Patches an object that is not stored, such as a `Scale`.
    JsonObject patched(ApiRequest request, JsonObject object) {
        var patch = json(request);
        var result =
                request.contentType().equals(JSON_PATCH)
                        ? JsonPatch.apply(object, patch)
                        : MergePatch.apply(object, patch);
        return patched(
                new ApiError.About("", "", object.text("kind"), name(object).orElse("")), result);
    }

    private static Optional<String> name(JsonObject object) {
        return object.objectOrEmpty("metadata").string("name");
    }
}
