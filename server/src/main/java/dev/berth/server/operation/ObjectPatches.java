package dev.berth.server.operation;

import dev.berth.core.admission.field.FieldError;
import dev.berth.model.json.FieldPath;
import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.server.access.AuthorizationRequest;
import dev.berth.server.operation.ObjectOperation.PatchType;
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
import dev.berth.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Executes patches: JSON patch, merge patch, strategic merge patch and server-side apply.
record ObjectPatches(Store store, ObjectWrites writes, ObjectDecoder decoder, FieldTypes types) {

    ObjectWrites.Written patch(ObjectTarget target, ObjectOperation.Patch operation) {
        var warnings = new ArrayList<String>();
        var resource = target.resource();
        var written =
                writes.change(
                        resource,
                        target.part(),
                        target.name(),
                        target.context(),
                        target.fieldManager(operation.options()),
                        old -> {
                            var object = patched(target.about(), result(target, operation, old));
                            decoder.checkSize(target, operation.document(), object);
                            var decoded = decoded(target, operation, object);
                            warnings.clear();
                            warnings.addAll(decoded.warnings());
                            return decoded.object();
                        });
        return written.withDecodingWarnings(warnings);
    }

    private PatchResult result(
            ObjectTarget target, ObjectOperation.Patch operation, JsonObject old) {
        var resource = target.resource();
        var before = resource.fromInternal(target.version(), old);
        var patch = operation.document().root();
        return switch (operation.type()) {
            case JSON -> JsonPatch.apply(before, patch);
            case MERGE -> MergePatch.apply(before, patch);
            case STRATEGIC -> {
                if (resource.isCustom()) {
                    throw PatchType.unsupported(true);
                }
                yield StrategicMergePatch.apply(
                        before, patch, types.of(resource, target.version()));
            }
        };
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
    private ObjectDecoder.Decoded decoded(
            ObjectTarget target, ObjectOperation.Patch operation, JsonObject object) {
        switch (decoder.check(target, operation.options(), object, List.of())) {
            case ObjectDecoder.Result.Valid(var decoded) -> {
                return decoded;
            }
            case ObjectDecoder.Result.Invalid(var message) -> {
                var shown =
                        operation.type() == PatchType.STRATEGIC
                                ? operation.document().root()
                                : object;
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
    ObjectWrites.Written apply(ObjectTarget target, ObjectOperation.Apply operation) {
        var config = operation.document().object();
        checkName(target, config);
        decoder.checkSize(target, operation.document(), config);
        checkConfig(target, config);
        var decoded =
                ObjectDecoder.valid(
                        target, decoder.check(target, operation.options(), config, List.of()));
        var manager = target.fieldManager(operation.options()).applying();
        var written =
                store.get(target.key()).isEmpty()
                        ? create(target, manager, decoded.object())
                        : writes.change(
                                target.resource(),
                                target.part(),
                                target.name(),
                                target.context(),
                                manager,
                                live ->
                                        merged(
                                                target,
                                                manager,
                                                live,
                                                decoded.object(),
                                                operation.force()));
        return written.withDecodingWarnings(decoded.warnings());
    }

    /// Rejects a configuration of another kind or with fields that are not in the schema, which
    /// other writes ignore.
    private void checkConfig(ObjectTarget target, JsonObject config) {
        var resource = target.resource();
        var version = target.version();
        ServerSideApply.problem(
                        config,
                        resource.apiVersion(version),
                        resource.kind(),
                        types.of(resource, version))
                .ifPresent(rejected -> {
                    throw error(target.about(), rejected).exception();
                });
    }

    private static void checkName(ObjectTarget target, JsonObject config) {
        var written = config.objectOrEmpty("metadata").text("name");
        var name = target.name();
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
            ObjectTarget target, FieldManager manager, JsonObject config) {
        if (target.part() != ObjectWrites.Part.MAIN) {
            throw ApiError.notFound(target.about()).exception();
        }
        var resource = target.resource();
        var context = target.context();
        var access =
                AuthorizationRequest.ResourceAttributes.of(
                        context.user(),
                        "create",
                        resource.group(),
                        resource.plural(),
                        context.namespace());
        var decision = context.authorizer().decide(access);
        if (!decision.isAllowed()) {
            throw ApiError.forbidden(target.about(), decision.reason()).exception();
        }
        var object = merged(target, manager, JsonObject.EMPTY, config, true);
        return writes.create(resource, object, context, manager);
    }

    private JsonObject merged(
            ObjectTarget target,
            FieldManager manager,
            JsonObject live,
            JsonObject config,
            boolean force) {
        var resource = target.resource();
        var apply =
                new ServerSideApply(
                        types.of(resource, resource.version()),
                        FieldOwnership.reset(resource, target.part()));
        var writer = manager.at(target.context().now());
        return switch (apply.apply(live, config, writer, force)) {
            case ApplyResult.Merged(var object, _) -> object;
            case ApplyResult.Conflicts conflicts ->
                    throw error(target.about(), conflicts.rejected()).exception();
            case PatchRejection rejected -> throw error(target.about(), rejected).exception();
        };
    }

    /// Patches an object that is not stored, such as a `Scale`.
    static JsonObject patched(JsonObject object, ObjectOperation.Patch operation) {
        var patch = operation.document().root();
        var result =
                operation.type() == PatchType.JSON
                        ? JsonPatch.apply(object, patch)
                        : MergePatch.apply(object, patch);
        return patched(
                new ApiError.About("", "", object.text("kind"), name(object).orElse("")), result);
    }

    private static Optional<String> name(JsonObject object) {
        return object.objectOrEmpty("metadata").string("name");
    }
}
