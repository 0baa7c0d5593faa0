package dev.berth.server.http;

import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ListQuery;
import dev.berth.server.registry.ObjectSelection;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;

/// A request for objects of a served kind: a collection, an object or a subresource.
///
/// @param api the request as it was received
/// @param target path of the request; `resource` is the kind that is served there
record ObjectRequest(
        ApiRequest api,
        Resource resource,
        RequestTarget.ResourcePath target,
        Verb verb,
        RequestContext context) {

    RequestQuery query() {
        return api.query();
    }

    String namespace() {
        return target.namespace();
    }

    String name() {
        return target.name();
    }

    String version() {
        return target.version();
    }

    ObjectKey key() {
        return new ObjectKey(resource.collection(), namespace(), name());
    }

    /// Identifies the object in errors.
    ApiError.About about() {
        return resource.about(name());
    }

    /// The part of the object that is written: without a subresource the object itself, else its
    /// status.
    ObjectWrites.Part part() {
        return target.subresource().isEmpty() ? ObjectWrites.Part.MAIN : ObjectWrites.Part.STATUS;
    }

    /// True for the plain `/status`, which has no rules of its own.
    boolean isStatus() {
        return target.subresource().equals("status") && resource.hasStatus();
    }

    /// The `fieldManager` parameter, or else the name of the client program.
    FieldManager fieldManager() {
        var manager = query().text("fieldManager");
        if (manager.isEmpty()) {
            var agent = api.header("User-Agent");
            var slash = agent.indexOf('/');
            manager = slash < 0 ? agent : agent.substring(0, slash);
        }
        manager = manager.substring(0, Math.min(manager.length(), FieldManager.MAX_MANAGER));
        return new FieldManager(
                manager.isEmpty() ? "unknown" : manager,
                resource.apiVersion(version()),
                target.subresource());
    }

    /// The selectors of a list or watch; a watch of one object selects it by its name.
    ObjectSelection selection() {
        var fields = name().isEmpty() ? query().text("fieldSelector") : "metadata.name=" + name();
        return ObjectSelection.parse(resource, query().text("labelSelector"), fields);
    }

    ListQuery listQuery() {
        var limit = query().number("limit").orElse(0);
        return new ListQuery(
                selection(),
                query().text("resourceVersion"),
                query().text("resourceVersionMatch"),
                Math.clamp(limit, 0, Integer.MAX_VALUE),
                query().text("continue"));
    }

    /// The size of the stored object; 0 when it does not exist.
    int storedBytes(Store store) {
        return store.get(key()).map(entry -> entry.bytes().length).orElse(0);
    }
}
