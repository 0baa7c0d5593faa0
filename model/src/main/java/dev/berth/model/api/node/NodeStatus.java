package dev.berth.model.api.node;

import dev.berth.model.api.meta.Condition;
import dev.berth.model.api.meta.OrderedMap;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// Capacity and allocatable resources of a node, and the features that its kubelet declares.
public record NodeStatus(
        Map<String, Quantity> capacity,
        Map<String, Quantity> allocatable,
        List<String> declaredFeatures,
        List<Condition> conditions) {

    /// The declared feature of kubelets that support `skipNodeOperations`.
    public static final String OPTIONAL_OPERATIONS = "DRAOptionalNodeOperations";

    public static final NodeStatus EMPTY = new NodeStatus(Map.of(), Map.of(), List.of(), List.of());

    public NodeStatus {
        capacity = OrderedMap.copyOf(capacity);
        allocatable = OrderedMap.copyOf(allocatable);
        declaredFeatures = List.copyOf(declaredFeatures);
        conditions = List.copyOf(conditions);
    }

    /// True when the kubelet supports `skipNodeOperations`.
    public boolean canSkipOperations() {
        return declaredFeatures.contains(OPTIONAL_OPERATIONS);
    }
}
