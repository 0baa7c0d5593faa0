package dev.berth.server.http.handler;

import dev.berth.model.json.JsonObject;
import dev.berth.server.http.request.ApiRequest;
import dev.berth.server.http.request.RequestBodies;
import dev.berth.server.http.request.RequestOptions;
import dev.berth.server.http.request.RequestQuery;
import dev.berth.server.operation.ListOptions;
import dev.berth.server.operation.ObjectOperation;
import dev.berth.server.operation.ObjectOperation.PatchType;
import dev.berth.server.operation.ObjectPath;
import dev.berth.server.operation.RequestDocument;
import dev.berth.server.operation.Verb;
import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.Subresource;

/// A request for objects of a served kind: a collection, an object or a subresource.
///
/// @param resource the kind that is served at the path
record ObjectRequest(ApiRequest api, Resource resource, ObjectPath path, Verb verb) {

    RequestQuery query() {
        return api.query();
    }

    ObjectOperation.Get get() {
        return new ObjectOperation.Get(path, query().text("resourceVersion"));
    }

    ObjectOperation.List list() {
        return new ObjectOperation.List(path, listOptions());
    }

    ListOptions listOptions() {
        var limit = query().number("limit").orElse(0);
        return new ListOptions(
                query().text("labelSelector"),
                query().text("fieldSelector"),
                query().text("resourceVersion"),
                query().text("resourceVersionMatch"),
                Math.clamp(limit, 0, Integer.MAX_VALUE),
                query().text("continue"));
    }

    /// The selectors of a watch; a watch of one object selects it by its name.
    ObjectSelection selection() {
        var name = path.name();
        var fields = name.isEmpty() ? query().text("fieldSelector") : "metadata.name=" + name;
        return ObjectSelection.parse(resource, query().text("labelSelector"), fields);
    }

    /// The create, update, patch or apply; reads the body.
    ObjectOperation.Write write() {
        var options = RequestOptions.of(verb);
        return switch (verb) {
            case CREATE ->
                    new ObjectOperation.Create(
                            path, options.write(api), RequestBodies.document(api));
            case UPDATE ->
                    new ObjectOperation.Update(
                            path, options.write(api), RequestBodies.document(api));
            case PATCH ->
                    api.contentType().equals(ObjectOperation.Apply.MEDIA_TYPE) ? apply() : patch();
            case GET, LIST, WATCH, DELETE, DELETECOLLECTION ->
                    throw ApiError.methodNotAllowed().exception();
        };
    }

    private ObjectOperation.Apply apply() {
        var options = RequestOptions.of(verb).apply(api);
        var document = RequestBodies.document(api, RequestBodies.YAML);
        return new ObjectOperation.Apply(path, options, document, query().flag("force"));
    }

    private ObjectOperation.Patch patch() {
        var type = patchType(api.contentType());
        var document = RequestBodies.document(api, RequestBodies.JSON);
        return new ObjectOperation.Patch(path, RequestOptions.of(verb).write(api), document, type);
    }

    private static PatchType patchType(String contentType) {
        for (var type : PatchType.values()) {
            if (type.mediaType().equals(contentType)) {
                return type;
            }
        }
        throw PatchType.unsupported(false);
    }

    /// The operation on a subresource with rules of its own.
    ObjectOperation operation(Subresource subresource) {
        return switch (verb) {
            case GET -> get();
            // Options are query parameters.
            case CREATE ->
                    subresource.kind().endsWith("Options") && RequestBodies.isEmpty(api)
                            ? new ObjectOperation.Create(
                                    path,
                                    RequestOptions.of(verb).write(api),
                                    RequestDocument.of(JsonObject.EMPTY))
                            : write();
            case UPDATE -> write();
            case PATCH -> patch();
            case LIST, WATCH, DELETE, DELETECOLLECTION ->
                    throw ApiError.methodNotAllowed().exception();
        };
    }

    /// The deletion of the object, or of each object of the collection; reads the body.
    ObjectOperation.Delete delete() {
        return RequestOptions.of(verb).delete(api, path);
    }
}
