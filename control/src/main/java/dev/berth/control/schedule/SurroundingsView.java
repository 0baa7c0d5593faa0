package dev.berth.control.schedule;

import dev.berth.core.place.Namespaces;
import dev.berth.core.place.Surroundings;
import dev.berth.core.schedule.Happening;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// What placing depends on besides nodes, devices and pods, as watches tell it, folded into the
/// snapshot of a view. Belongs to the scheduler's thread.
final class SurroundingsView {

    private final ClusterView view;
    private final Consumer<Happening> listener;

    /// @param listener who wants to know what a change may mean for pods that wait
    SurroundingsView(ClusterView view, Consumer<Happening> listener) {
        this.view = view;
        this.listener = listener;
    }

    private Surroundings known() {
        return view.snapshot().surroundings();
    }

    void putNamespace(JsonObject namespace) {
        var before = known().namespaces();
        var name = name(namespace);
        var now = before.with(name, labels(namespace));
        // Much is written to namespaces that is nobody's concern here.
        if (!now.labels(name).equals(before.labels(name))) {
            replace(now);
        }
    }

    void removeNamespace(JsonObject namespace) {
        replace(known().namespaces().without(name(namespace)));
    }

    void replaceNamespaces(Iterable<JsonObject> all) {
        var namespaces = Namespaces.UNLABELLED;
        for (var namespace : all) {
            namespaces = namespaces.with(name(namespace), labels(namespace));
        }
        replace(namespaces);
    }

    /// Nobody tells us of namespaces: each has its name as a label and no other.
    void forgetNamespaces() {
        replace(Namespaces.UNLABELLED);
    }

    private void replace(Namespaces namespaces) {
        view.assume(snapshot -> snapshot.with(snapshot.surroundings().with(namespaces)));
        listener.accept(Happening.NAMESPACE);
    }

    private static String name(JsonObject namespace) {
        return namespace.objectOrEmpty("metadata").text("name");
    }

    private static Map<String, String> labels(JsonObject namespace) {
        var labels = namespace.objectOrEmpty("metadata").objectOrEmpty("labels");
        var all = new HashMap<String, String>();
        labels.names().forEach(key -> all.put(key, labels.text(key)));
        return all;
    }
}
