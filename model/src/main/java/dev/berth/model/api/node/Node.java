package dev.berth.model.api.node;

import dev.berth.model.api.meta.KubernetesObject;
import dev.berth.model.api.meta.ObjectMeta;
import java.util.Map;

/// The fields of a node that affect scheduling.
public record Node(ObjectMeta metadata, NodeSpec spec, NodeStatus status)
        implements KubernetesObject {

    public String name() {
        return metadata.name();
    }

    public Map<String, String> labels() {
        return metadata.labels();
    }
}
