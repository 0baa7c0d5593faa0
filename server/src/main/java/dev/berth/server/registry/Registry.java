package dev.berth.server.registry;

import dev.berth.core.admission.FeatureGates;
import dev.berth.model.json.JsonObject;
import dev.berth.server.access.Authorizer;
import dev.berth.server.access.User;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.Store;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Everything that one can do with stored objects, in one place.
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

    /// In whose name the server itself acts.
    public static final User SERVER = User.of("system:apiserver", User.MASTERS);

    /// The circumstances of something that the server does by itself.
    public RequestContext serverContext(String verb, String namespace) {
        return new RequestContext(
                SERVER, verb, namespace, clock.instant(), false, gates, authorizer, objects);
    }

    /// Creates an object unless there is one of that name.
    public void createIfMissing(Resource resource, String namespace, JsonObject object) {
        try {
            writes.create(
                    resource,
                    object,
                    serverContext("create", namespace),
                    FieldManager.server(resource));
        } catch (ApiException refused) {
            if (!refused.error().reason().equals("AlreadyExists")) {
                throw refused;
            }
        }
    }

    /// Changes an object in the server's own name; empty when it is not there.
    public Optional<JsonObject> change(
            Resource resource, ObjectKey key, UnaryOperator<JsonObject> change) {
        return unlessMissing(() ->
                writes.change(
                                resource,
                                ObjectWrites.Part.SUBRESOURCE,
                                key.name(),
                                serverContext("update", key.namespace()),
                                FieldManager.server(resource),
                                change)
                        .object());
    }

    /// Deletes an object in the server's own name; empty when it is not there, or another one is.
    public Optional<ObjectDeletes.Deleted> delete(
            Resource resource, ObjectKey key, DeleteOptions options) {
        return unlessMissing(() ->
                deletes.delete(
                        resource, key.name(), options, serverContext("delete", key.namespace())));
    }

    private static <T> Optional<T> unlessMissing(Supplier<T> act) {
        try {
            return Optional.of(act.get());
        } catch (ApiException refused) {
            if (refused.error().code() == 404 || refused.error().code() == 409) {
                return Optional.empty();
            }
            throw refused;
        }
    }
}
