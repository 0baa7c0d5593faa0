package dev.berth.model.api;

import java.util.List;

/// Whether a node takes new pods.
public record NodeSpec(boolean unschedulable, List<NodeTaint> taints) {

    public static final NodeSpec EMPTY = new NodeSpec(false, List.of());

    public NodeSpec {
        taints = List.copyOf(taints);
    }
}
