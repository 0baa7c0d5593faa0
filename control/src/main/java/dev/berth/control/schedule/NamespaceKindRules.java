package dev.berth.control.schedule;

import dev.berth.core.place.ClusterEvent;
import dev.berth.core.snapshot.NamespaceLabels;
import dev.berth.model.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Rules of namespaces, whose labels matter to namespace selectors. Optional: without permission to
/// read them, each namespace has only the label with its name.
final class NamespaceKindRules implements KindRules<String, JsonObject> {

    private final ClusterView view;
    private final Consumer<ClusterEvent> events;
    private NamespaceLabels namespaces = NamespaceLabels.UNLABELLED;
    private boolean hasChanged;

    NamespaceKindRules(ClusterView view, Consumer<ClusterEvent> events) {
        this.view = view;
        this.events = events;
    }

    @Override
    public String key(JsonObject namespace) {
        return namespace.objectOrEmpty("metadata").text("name");
    }

    @Override
    public void put(JsonObject now, Optional<JsonObject> before, boolean isListed) {
        var name = key(now);
        var next = namespaces.with(name, labels(now));
        // Most updates of namespaces do not change labels.
        hasChanged |= !next.labels(name).equals(namespaces.labels(name));
        namespaces = next;
    }

    private static Map<String, String> labels(JsonObject namespace) {
        var labels = namespace.objectOrEmpty("metadata").objectOrEmpty("labels");
        var all = new HashMap<String, String>();
        labels.names().forEach(key -> all.put(key, labels.text(key)));
        return all;
    }

    @Override
    public void remove(JsonObject last) {
        namespaces = namespaces.without(key(last));
        hasChanged = true;
    }

    @Override
    public void applied(boolean isList) {
        if (hasChanged || isList) {
            hasChanged = false;
            view.change(snapshot -> snapshot.with(snapshot.context().with(namespaces)));
            events.accept(ClusterEvent.NAMESPACE);
        }
    }

    /// Namespaces are not readable.
    void forget() {
        namespaces = NamespaceLabels.UNLABELLED;
        applied(true);
    }
}
