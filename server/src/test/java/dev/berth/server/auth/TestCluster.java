package dev.berth.server.auth;

import dev.berth.model.json.JsonObject;
import dev.berth.model.json.JsonWriter;
import dev.berth.model.json.ParseResult;
import dev.berth.model.json.YamlReader;
import dev.berth.server.store.MemoryStore;
import dev.berth.server.store.ObjectKey;
import dev.berth.server.store.WriteResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// A store with objects for tests of authorization.
final class TestCluster {

    final MemoryStore store = new MemoryStore();
    final Rbac rbac = new Rbac(store);
    private final AtomicInteger uids = new AtomicInteger();

    RoleReconciler keeper() {
        return new RoleReconciler(
                store, rbac, Clock.systemUTC(), () -> "uid-" + uids.incrementAndGet());
    }

    TestCluster withDefaults() {
        keeper().reconcile();
        return this;
    }

    /// Stores the objects of a YAML text, replacing existing ones.
    TestCluster put(String yaml) {
        for (var object : parsed(yaml)) {
            var key = key(object);
            var bytes = JsonWriter.compact(object).getBytes(StandardCharsets.UTF_8);
            if (store.create(key, bytes) instanceof WriteResult.Exists(var current)) {
                store.update(key, current.revision(), bytes);
            }
        }
        return this;
    }

    void delete(String collection, String namespace, String name) {
        var key = new ObjectKey(collection, namespace, name);
        store.delete(key, store.get(key).orElseThrow().revision());
    }

    static JsonObject object(String yaml) {
        return parsed(yaml).getFirst();
    }

    private static java.util.List<JsonObject> parsed(String yaml) {
        return switch (YamlReader.read(yaml)) {
            case ParseResult.Documents(var documents) ->
                    documents.stream().map(one -> (JsonObject) one.root()).toList();
            case ParseResult.Malformed malformed -> throw new AssertionError(malformed);
        };
    }

    private static ObjectKey key(JsonObject object) {
        var metadata = object.objectOrEmpty("metadata");
        var kind = object.text("kind");
        var group =
                switch (kind) {
                    case "ClusterRole", "Role", "ClusterRoleBinding", "RoleBinding" ->
                            "rbac.authorization.k8s.io/";
                    case "ResourceClaim", "ResourceSlice" -> "resource.k8s.io/";
                    case "VolumeAttachment", "CSIDriver" -> "storage.k8s.io/";
                    default -> "";
                };
        return new ObjectKey(
                group + kind.toLowerCase(Locale.ROOT) + "s",
                metadata.text("namespace"),
                metadata.text("name"));
    }
}
