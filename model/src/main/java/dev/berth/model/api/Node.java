package dev.berth.model.api;

import java.util.Map;

/// The parts of a node that decide what can run on it.
public record Node(ObjectMeta metadata, NodeSpec spec, NodeStatus status)
        implements KubernetesObject {

    public String name() {
        return metadata.name();
    }

    public Map<String, String> labels() {
        return metadata.labels();
    }
}
