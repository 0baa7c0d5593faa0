package dev.berth.core.place;

import java.util.HashMap;
import java.util.Map;

/// The labels of namespaces. Each has its own name as a label, as Kubernetes gives it.
public final class Namespaces {

    public static final Namespaces UNLABELLED = new Namespaces(Map.of());

    private static final String NAME = "kubernetes.io/metadata.name";

    private final Map<String, Map<String, String>> labels;

    public Namespaces(Map<String, Map<String, String>> labels) {
        var named = new HashMap<String, Map<String, String>>();
        labels.forEach((namespace, some) -> {
            var all = new HashMap<>(some);
            all.put(NAME, namespace);
            named.put(namespace, Map.copyOf(all));
        });
        this.labels = Map.copyOf(named);
    }

    Map<String, String> labels(String namespace) {
        var known = labels.get(namespace);
        return known == null ? Map.of(NAME, namespace) : known;
    }
}
