package dev.berth.server.http;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.ApiException;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.ObjectDeletes;
import dev.berth.server.registry.ObjectReads;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import java.util.ArrayList;
import java.util.List;

/// The verbs `delete` and `deletecollection`.
record DeleteRequests(ObjectReads reads, ObjectDeletes deletes) {

    ServerResponse delete(ObjectRequest request, ObjectRendering rendering) {
        var body = RequestBodies.optional(request.api());
        var options = options(request.query(), body);
        var context = withDryRun(request.context(), body);
        var resource = request.resource();
        var deleted = deletes.delete(resource, request.name(), options, context);
        var status = !deleted.removed() && options.explicitlyCascading() ? 202 : 200;
        return deleted.removed() && resource.deleteReturnsStatus()
                ? ServerResponse.of(
                        status,
                        success(resource, deleted.object()),
                        rendering.media().whole(),
                        List.of())
                : rendering.object(status, deleted.object(), List.of(), request.context().now());
    }

    private static RequestContext withDryRun(RequestContext context, JsonObject body) {
        return WriteOptions.OF_DELETION.isDryRun(body.strings("dryRun")) ? context.dry() : context;
    }

    /// Options of the body; query parameters override some of them.
    private static DeleteOptions options(RequestQuery query, JsonObject body) {
        var options = body;
        var grace = query.number("gracePeriodSeconds");
        if (grace.isPresent()) {
            options = options.with("gracePeriodSeconds", Json.of(grace.getAsLong()));
        }
        if (!query.text("propagationPolicy").isEmpty()) {
            options = options.with("propagationPolicy", Json.of(query.text("propagationPolicy")));
        }
        if (!query.text("orphanDependents").isEmpty()) {
            options = options.with("orphanDependents", Json.of(query.flag("orphanDependents")));
        }
        return DeleteOptions.read(options);
    }

    /// The `Status` of a successful deletion.
    private static JsonObject success(Resource resource, JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var details = JsonObject.of("name", Json.of(metadata.text("name")));
        if (!resource.group().isEmpty()) {
            details = details.with("group", Json.of(resource.group()));
        }
        details = details.with("kind", Json.of(resource.plural()));
        return JsonObject.of("kind", Json.of("Status"))
                .with("apiVersion", Json.of("v1"))
                .with("metadata", JsonObject.EMPTY)
                .with("status", Json.of("Success"))
                .with("details", details.with("uid", Json.of(metadata.text("uid"))));
    }

    ServerResponse deleteCollection(ObjectRequest request, ObjectRendering rendering) {
        var body = RequestBodies.optional(request.api());
        var options = options(request.query(), body);
        var context = withDryRun(request.context(), body);
        var resource = request.resource();
        var page = reads.list(resource, request.namespace(), request.listQuery());
        var deleted = new ArrayList<Json>();
        for (var entry : page.entries()) {
            var inNamespace = context.in(entry.key().namespace());
            try {
                var result = deletes.delete(resource, entry.key().name(), options, inNamespace);
                deleted.add(resource.fromInternal(request.version(), result.object()));
            } catch (ApiException e) {
                // Deleted concurrently.
                if (e.error().code() != 404) {
                    throw e;
                }
            }
        }
        return ServerResponse.of(
                200,
                JsonObject.of("kind", Json.of(resource.listKind()))
                        .with("apiVersion", Json.of(resource.apiVersion(request.version())))
                        .with(
                                "metadata",
                                JsonObject.of(
                                        "resourceVersion", Json.of(Long.toString(page.revision()))))
                        .with("items", new JsonArray(deleted)),
                rendering.media().whole(),
                List.of());
    }
}
