package dev.berth.core.snapshot;

import dev.berth.core.persistent.PersistentSortedMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// Labels of namespaces. Each namespace has the label `kubernetes.io/metadata.name`, as in
/// Kubernetes.
///
/// Immutable: a change returns another value, which shares the rest.
public final class NamespaceLabels {

    public static final NamespaceLabels UNLABELLED = new NamespaceLabels(PersistentSortedMap.of());

    private static final String NAME = "kubernetes.io/metadata.name";

    private final PersistentSortedMap<String, Map<String, String>> labels;

    private NamespaceLabels(PersistentSortedMap<String, Map<String, String>> labels) {
        this.labels = labels;
    }

    public static NamespaceLabels of(Map<String, Map<String, String>> labels) {
        var all = UNLABELLED;
        for (var entry : labels.entrySet()) {
            all = all.with(entry.getKey(), entry.getValue());
        }
        return all;
    }

    public NamespaceLabels with(String namespace, Map<String, String> itsLabels) {
        var all = new HashMap<>(itsLabels);
        all.put(NAME, namespace);
        return new NamespaceLabels(labels.with(namespace, Collections.unmodifiableMap(all)));
    }

    /// The labels without those of one namespace.
    public NamespaceLabels without(String namespace) {
        return new NamespaceLabels(labels.without(namespace));
    }

    public Map<String, String> labels(String namespace) {
        return labels.find(namespace).orElseGet(() -> Map.of(NAME, namespace));
    }
}
