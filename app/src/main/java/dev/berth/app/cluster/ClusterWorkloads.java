package dev.berth.app.cluster;

import dev.berth.app.cluster.LiveObjects.ListOutcome;
import dev.berth.app.manifest.Manifest;
import dev.berth.client.ResourcePath;
import dev.berth.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Workload controllers of files and of a running cluster, and the events about them.
final class ClusterWorkloads {

    private final List<Manifest> controllers = new ArrayList<>();
    private final List<JsonObject> events = new ArrayList<>();

    /// Adds the controllers of a kind in a namespace, those that they own, and their events.
    ///
    /// @return the error when they cannot be read
    Optional<String> read(LiveObjects live, String kind, String namespace) {
        for (var resource : WorkloadPods.resources(kind)) {
            switch (live.trees(resource, namespace)) {
                case ListOutcome.Listed(var objects) -> add(objects);
                case ListOutcome.ListedInNamespace(_, _, var objects) -> add(objects);
                case ListOutcome.Forbidden(var denied) -> {
                    var missing = new MissingPermissions().with(denied);
                    return Optional.of(missing.text(live.user().orElse("")));
                }
                case ListOutcome.Refused(var reason) -> {
                    return Optional.of(reason);
                }
            }
        }
        // Without events, only the conditions tell why pods were not created.
        if (live.trees(ResourcePath.EVENTS, namespace)
                instanceof ListOutcome.ListedInNamespace(_, _, var found)) {
            events.addAll(found);
        }
        return Optional.empty();
    }

    private void add(List<JsonObject> objects) {
        objects.forEach(object -> controllers.add(Manifest.ofCluster(object)));
    }

    void add(Manifest controller) {
        controllers.add(controller);
    }

    /// Adds a controller in place of one of the same name.
    void replace(Manifest controller) {
        controllers.removeIf(other -> WorkloadPods.isSame(other, controller));
        controllers.add(controller);
    }

    void addEvent(JsonObject event) {
        events.add(event);
    }

    List<Manifest> controllers() {
        return List.copyOf(controllers);
    }

    List<JsonObject> events() {
        return List.copyOf(events);
    }
}
