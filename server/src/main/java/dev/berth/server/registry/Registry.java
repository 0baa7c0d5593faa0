package dev.berth.server.registry;

import dev.berth.core.admission.gate.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Access to stored objects: the served kinds, their reads, writes and deletions.
public record Registry(
        Resources resources,
        Store store,
        StoredObjects objects,
        ObjectReads reads,
        ObjectWrites writes,
        ObjectDeletes deletes,
        FeatureGates gates,
        Authorizer authorizer,
        Clock clock) {

    /// The user of requests by the server itself.
    public static final User SERVER = User.of("system:apiserver", User.MASTERS);

    /// The context of an operation by the server itself.
    public RequestContext serverContext(String verb, String namespace) {
        return new RequestContext(
                SERVER, verb, namespace, clock.instant(), false, gates, authorizer, objects);
    }

    /// Creates an object unless one of that name exists.
    public void createIfMissing(Resource resource, String namespace, JsonObject object) {
        try {
            writes.create(
                    resource,
                    object,
                    serverContext("create", namespace),
                    FieldManager.server(resource));
        } catch (ApiException e) {
            if (!e.error().reason().equals("AlreadyExists")) {
                throw e;
            }
        }
    }

    /// Updates an object as the server itself; empty when it does not exist.
    public Optional<JsonObject> change(
            Resource resource, ObjectKey key, UnaryOperator<JsonObject> change) {
        return emptyIfMissing(() ->
                writes.change(
                                resource,
                                ObjectWrites.Part.SUBRESOURCE,
                                key.name(),
                                serverContext("update", key.namespace()),
                                FieldManager.server(resource),
                                change)
                        .object());
    }

    /// Deletes an object as the server itself; empty when it does not exist or a precondition
    /// fails.
    public Optional<ObjectDeletes.Deleted> delete(
            Resource resource, ObjectKey key, DeleteOptions options) {
        return emptyIfMissing(() ->
                deletes.delete(
                        resource, key.name(), options, serverContext("delete", key.namespace())));
    }

    private static <T> Optional<T> emptyIfMissing(Supplier<T> act) {
        try {
            return Optional.of(act.get());
        } catch (ApiException e) {
            if (e.error().code() == 404 || e.error().code() == 409) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
