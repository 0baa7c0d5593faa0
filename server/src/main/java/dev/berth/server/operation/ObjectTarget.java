package dev.berth.server.operation;

import dev.berth.server.registry.ApiError;
import dev.berth.server.registry.FieldManager;
import dev.berth.server.registry.ObjectWrites;
import dev.berth.server.registry.RequestContext;
import dev.berth.server.registry.Resource;
import dev.berth.server.store.ObjectKey;

/// The object of a write, and the context of the write.
///
/// @param resource the kind that is served at the path
record ObjectTarget(Resource resource, ObjectPath path, RequestContext context) {

    String name() {
        return path.name();
    }

    String version() {
        return path.version();
    }

    ObjectKey key() {
        return new ObjectKey(resource.collection(), path.namespace(), path.name());
    }

    /// Identifies the object in errors.
    ApiError.About about() {
        return resource.about(path.name());
    }

    /// The part of the object that is written: without a subresource the object itself, else its
    /// status.
    ObjectWrites.Part part() {
        return path.subresource().isEmpty() ? ObjectWrites.Part.MAIN : ObjectWrites.Part.STATUS;
    }

    FieldManager fieldManager(WriteOptions options) {
        return new FieldManager(
                options.fieldManager(), resource.apiVersion(path.version()), path.subresource());
    }
}
