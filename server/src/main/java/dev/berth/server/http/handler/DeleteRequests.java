package dev.berth.server.http.handler;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.http.response.ObjectRendering;
import dev.berth.server.http.response.ServerResponse;
import dev.berth.server.operation.DeletionStatus;
import dev.berth.server.operation.ObjectOperations;
import dev.berth.server.registry.ApiException;
import java.util.ArrayList;
import java.util.List;

/// The verbs `delete` and `deletecollection`.
record DeleteRequests(ObjectOperations operations) {

    ServerResponse delete(ObjectRequest request, ObjectRendering rendering) {
        var operation = request.delete();
        var resource = request.resource();
        var deleted = operations.delete(request.api().user(), resource, operation);
        var code = !deleted.removed() && operation.options().explicitlyCascading() ? 202 : 200;
        var status = DeletionStatus.of(resource, deleted);
        return status.isPresent()
                ? ServerResponse.of(code, status.get(), rendering.media().whole(), List.of())
                : rendering.object(
                        code, deleted.object(), List.of(), operations.registry().clock().instant());
    }

    ServerResponse deleteCollection(ObjectRequest request, ObjectRendering rendering) {
        var operation = request.delete();
        var registry = operations.registry();
        var resource = request.resource();
        var path = request.path();
        var context =
                operations.context(
                        request.api().user(), request.verb(), path.namespace(), operation.dryRun());
        var page =
                registry.reads()
                        .list(resource, path.namespace(), request.listOptions().query(resource));
        var deleted = new ArrayList<Json>();
        for (var entry : page.entries()) {
            var inNamespace = context.in(entry.key().namespace());
            try {
                var result =
                        registry.deletes()
                                .delete(
                                        resource,
                                        entry.key().name(),
                                        operation.options(),
                                        inNamespace);
                deleted.add(resource.fromInternal(path.version(), result.object()));
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
                        .with("apiVersion", Json.of(resource.apiVersion(path.version())))
                        .with(
                                "metadata",
                                JsonObject.of(
                                        "resourceVersion", Json.of(Long.toString(page.revision()))))
                        .with("items", new JsonArray(deleted)),
                rendering.media().whole(),
                List.of());
    }
}
