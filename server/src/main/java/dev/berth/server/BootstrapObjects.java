package dev.berth.server;

import dev.berth.model.json.Json;
import dev.berth.model.json.JsonObject;
import dev.berth.server.kinds.pod.PriorityClasses;
import dev.berth.server.registry.Registry;
import java.util.List;

/// Objects that the server creates at start: namespaces, system priority classes and the service by
/// which pods reach this server.
final class BootstrapObjects {

    /// Namespaces that cannot be deleted.
    static final List<String> SYSTEM_NAMESPACES = List.of("default", "kube-system", "kube-public");

    private static final String NODE_LEASES = "kube-node-lease";
    private static final int HTTPS = 443;

    private final Registry registry;

    BootstrapObjects(Registry registry) {
        this.registry = registry;
    }

    /// Creates the objects that do not exist.
    void create() {
        SYSTEM_NAMESPACES.forEach(name -> create("namespaces", "", named(name)));
        create("namespaces", "", named(NODE_LEASES));
        for (var priority : PriorityClasses.system()) {
            create("scheduling.k8s.io/priorityclasses", "", priority);
        }
        create("services", "default", service());
    }

    private void create(String collection, String namespace, JsonObject object) {
        var name = object.objectOrEmpty("metadata").text("name");
        if (registry.objects().get(collection, namespace, name).isEmpty()) {
            var resource = registry.resources().byCollection(collection).orElseThrow();
            registry.createIfMissing(resource, namespace, object);
        }
    }

    private static JsonObject named(String name) {
        return JsonObject.of("metadata", JsonObject.of("name", Json.of(name)));
    }

    private static JsonObject service() {
        var labels =
                JsonObject.of("component", Json.of("apiserver"))
                        .with("provider", Json.of("kubernetes"));
        var port =
                JsonObject.of("name", Json.of("https"))
                        .with("port", Json.of(HTTPS))
                        .with("protocol", Json.of("TCP"));
        var metadata = JsonObject.of("name", Json.of("kubernetes")).with("labels", labels);
        return JsonObject.of("metadata", metadata)
                .with(
                        "spec",
                        JsonObject.of("clusterIP", Json.of("10.96.0.1"))
                                .with("ports", Json.array(port)));
    }
}
