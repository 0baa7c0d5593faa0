package dev.berth.core.place;

import dev.berth.core.persistent.Sorted;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/// The labels of namespaces. Each has its own name as a label, as Kubernetes gives it.
///
/// Never changed: folding a namespace in gives others, which share the rest.
public final class Namespaces {

    public static final Namespaces UNLABELLED = new Namespaces(Sorted.of());

    private static final String NAME = "kubernetes.io/metadata.name";

    private final Sorted<String, Map<String, String>> labels;

    private Namespaces(Sorted<String, Map<String, String>> labels) {
        this.labels = labels;
    }

    public static Namespaces of(Map<String, Map<String, String>> labels) {
        var all = UNLABELLED;
        for (var entry : labels.entrySet()) {
            all = all.with(entry.getKey(), entry.getValue());
        }
        return all;
    }

    public Namespaces with(String namespace, Map<String, String> itsLabels) {
        var all = new HashMap<>(itsLabels);
        all.put(NAME, namespace);
        return new Namespaces(labels.with(namespace, Collections.unmodifiableMap(all)));
    }

    /// Without what is known of a namespace.
    public Namespaces without(String namespace) {
        return new Namespaces(labels.without(namespace));
    }

    public Map<String, String> labels(String namespace) {
        return labels.find(namespace).orElseGet(() -> Map.of(NAME, namespace));
    }
}
