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

/// Creates the default objects of new namespaces, and deletes the content of terminating ones.
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

    /// Handles a change of a namespace, or of an object in one.
    void on(Change change) {
        var key = change.entry().key();
        if (key.collection().equals(COLLECTION)) {
            if (change.type() != Change.Type.DELETED) {
                onNamespace(key.name());
            }
        } else if (change.type() == Change.Type.DELETED && !key.namespace().isEmpty()) {
            if (!emptyIfTerminating(key.namespace()) && isDefaultObject(key)) {
                onNamespace(key.namespace());
            }
        } else if (isCertificate(key)) {
            restoreCertificate(key);
        }
    }

    private static boolean isDefaultObject(ObjectKey key) {
        return isCertificate(key)
                || (key.collection().equals(ACCOUNTS) && key.name().equals(DEFAULT_ACCOUNT));
    }

    private static boolean isCertificate(ObjectKey key) {
        return key.collection().equals(CONFIG_MAPS) && key.name().equals(CERTIFICATE);
    }

    /// Restores the root certificate when it was changed, or when the certificate authority is new.
    private void restoreCertificate(ObjectKey key) {
        var expected = certificate();
        var found = registry.objects().get(CONFIG_MAPS, key.namespace(), key.name());
        if (found.isPresent() && !found.get().objectOrEmpty("data").equals(expected)) {
            registry.resources()
                    .byCollection(CONFIG_MAPS)
                    .ifPresent(resource ->
                            registry.change(resource, key, map -> map.with("data", expected)));
        }
    }

    private JsonObject certificate() {
        return JsonObject.of("ca.crt", Json.of(rootCertificate));
    }

    private void onNamespace(String name) {
        if (registry.objects().get(COLLECTION, "", name).isPresent() && !emptyIfTerminating(name)) {
            createDefaults(name);
        }
    }

    /// Every namespace has a default service account and the root certificate that pods need to
    /// trust this server.
    private void createDefaults(String namespace) {
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

    /// Deletes the content of a terminating namespace, and removes its finalizer when it is empty.
    private boolean emptyIfTerminating(String name) {
        var namespace = registry.objects().get(COLLECTION, "", name);
        if (namespace.isEmpty()
                || !namespace.get().objectOrEmpty("metadata").has("deletionTimestamp")) {
            return false;
        }
        var remaining = 0;
        for (var resource : registry.resources().all()) {
            if (resource.isNamespaced()) {
                remaining += deleteAll(resource, name);
            }
        }
        if (remaining == 0) {
            removeFinalizer(name);
        }
        return true;
    }

    /// Deletes all objects of a kind; returns the number of those that still exist.
    private int deleteAll(Resource resource, String namespace) {
        var scope = new CollectionScope(resource.collection(), namespace);
        if (!(registry.store().list(scope, 0, "", 0) instanceof ListResult.Page page)) {
            return 1;
        }
        var remaining = 0;
        for (var entry : page.entries()) {
            if (StoredObjects.tree(entry).objectOrEmpty("metadata").has("deletionTimestamp")) {
                remaining++;
                continue;
            }
            var deleted = registry.delete(resource, entry.key(), DeleteOptions.NONE);
            remaining += deleted.isPresent() && !deleted.get().removed() ? 1 : 0;
        }
        return remaining;
    }

    private void removeFinalizer(String name) {
        registry.resources()
                .byCollection(COLLECTION)
                .ifPresent(resource ->
                        registry.change(
                                resource,
                                new ObjectKey(COLLECTION, "", name),
                                NamespaceController::withoutFinalizer));
    }

    private static JsonObject withoutFinalizer(JsonObject namespace) {
        var spec = namespace.objectOrEmpty("spec");
        List<Json> remaining =
                spec.strings("finalizers").stream()
                        .filter(one -> !one.equals(FINALIZER))
                        .<Json>map(Json::of)
                        .toList();
        return namespace.with(
                "spec",
                remaining.isEmpty()
                        ? spec.without("finalizers")
                        : spec.with("finalizers", new JsonArray(remaining)));
    }
}
