package dev.berth.server.lifecycle;

import dev.berth.model.json.Json;
import dev.berth.model.json.Json.JsonArray;
import dev.berth.model.json.JsonObject;
import dev.berth.server.registry.DeleteOptions;
import dev.berth.server.registry.Registry;
import dev.berth.server.registry.Resource;
import dev.berth.server.registry.StoredObjects;
import dev.berth.server.store.Change;
import dev.berth.server.store.CollectionScope;
import dev.berth.server.store.ListResult;
import dev.berth.server.store.ObjectKey;
import java.util.List;

/// Furnishes new namespaces, and empties those that are to go.
final class NamespaceController {

    static final String COLLECTION = "namespaces";

    private static final String FINALIZER = "kubernetes";
    private static final String ACCOUNTS = "serviceaccounts";
    private static final String DEFAULT_ACCOUNT = "default";
    private static final String CONFIG_MAPS = "configmaps";
    private static final String CERTIFICATE = "kube-root-ca.crt";

    private final Registry registry;
    private final String rootCertificate;

    NamespaceController(Registry registry, String rootCertificate) {
        this.registry = registry;
        this.rootCertificate = rootCertificate;
    }

    /// Follows a change of a namespace, or of anything in one.
    void on(Change change) {
        var key = change.entry().key();
        if (key.collection().equals(COLLECTION)) {
            if (change.type() != Change.Type.DELETED) {
                onNamespace(key.name());
            }
        } else if (change.type() == Change.Type.DELETED && !key.namespace().isEmpty()) {
            if (!emptyIfLeaving(key.namespace()) && isFurniture(key)) {
                onNamespace(key.namespace());
            }
        } else if (isCertificate(key)) {
            renewCertificate(key);
        }
    }

    private static boolean isFurniture(ObjectKey key) {
        return isCertificate(key)
                || (key.collection().equals(ACCOUNTS) && key.name().equals(DEFAULT_ACCOUNT));
    }

    private static boolean isCertificate(ObjectKey key) {
        return key.collection().equals(CONFIG_MAPS) && key.name().equals(CERTIFICATE);
    }

    /// Puts the certificate back when somebody changed it, or when this server got another one.
    private void renewCertificate(ObjectKey key) {
        var wanted = certificate();
        var found = registry.objects().get(CONFIG_MAPS, key.namespace(), key.name());
        if (found.isPresent() && !found.get().objectOrEmpty("data").equals(wanted)) {
            registry.resources()
                    .byCollection(CONFIG_MAPS)
                    .ifPresent(resource ->
                            registry.change(resource, key, map -> map.with("data", wanted)));
        }
    }

    private JsonObject certificate() {
        return JsonObject.of("ca.crt", Json.of(rootCertificate));
    }

    private void onNamespace(String name) {
        if (registry.objects().get(COLLECTION, "", name).isPresent() && !emptyIfLeaving(name)) {
            furnish(name);
        }
    }

    /// Every namespace has an account for pods that name none, and the certificate that they need
    /// to trust this server.
    private void furnish(String namespace) {
        create(ACCOUNTS, namespace, named(DEFAULT_ACCOUNT));
        create(CONFIG_MAPS, namespace, named(CERTIFICATE).with("data", certificate()));
    }

    private void create(String collection, String namespace, JsonObject object) {
        if (registry.objects()
                .get(collection, namespace, object.objectOrEmpty("metadata").text("name"))
                .isEmpty()) {
            registry.resources()
                    .byCollection(collection)
                    .ifPresent(resource -> registry.createIfMissing(resource, namespace, object));
        }
    }

    private static JsonObject named(String name) {
        return JsonObject.of("metadata", JsonObject.of("name", Json.of(name)));
    }

    /// Deletes what is left in a namespace, and the namespace when nothing is.
    private boolean emptyIfLeaving(String name) {
        var namespace = registry.objects().get(COLLECTION, "", name);
        if (namespace.isEmpty()
                || !namespace.get().objectOrEmpty("metadata").has("deletionTimestamp")) {
            return false;
        }
        var left = 0;
        for (var resource : registry.resources().all()) {
            if (resource.isNamespaced()) {
                left += empty(resource, name);
            }
        }
        if (left == 0) {
            finish(name);
        }
        return true;
    }

    /// How many objects are still there after all have been told to go.
    private int empty(Resource resource, String namespace) {
        var scope = new CollectionScope(resource.collection(), namespace);
        if (!(registry.store().list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            return 1;
        }
        var left = 0;
        for (var entry : page.entries()) {
            if (StoredObjects.tree(entry).objectOrEmpty("metadata").has("deletionTimestamp")) {
                left++;
                continue;
            }
            var deleted = registry.delete(resource, entry.key(), DeleteOptions.NONE);
            left += deleted.isPresent() && !deleted.get().gone() ? 1 : 0;
        }
        return left;
    }

    private void finish(String name) {
        registry.resources()
                .byCollection(COLLECTION)
                .ifPresent(resource ->
                        registry.change(
                                resource,
                                new ObjectKey(COLLECTION, "", name),
                                NamespaceController::finished));
    }

    private static JsonObject finished(JsonObject namespace) {
        var spec = namespace.objectOrEmpty("spec");
        List<Json> left =
                spec.strings("finalizers").stream()
                        .filter(one -> !one.equals(FINALIZER))
                        .<Json>map(Json::of)
                        .toList();
        return namespace.with(
                "spec",
                left.isEmpty()
                        ? spec.without("finalizers")
                        : spec.with("finalizers", new JsonArray(left)));
    }
}
