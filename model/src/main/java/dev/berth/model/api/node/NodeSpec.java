package dev.berth.model.api.node;

import dev.berth.model.api.taint.NodeTaint;
import java.util.List;

/// Cordon flag and taints of a node.
public record NodeSpec(boolean unschedulable, List<NodeTaint> taints) {

    public static final NodeSpec EMPTY = new NodeSpec(false, List.of());

    public NodeSpec {
        taints = List.copyOf(taints);
    }
}
