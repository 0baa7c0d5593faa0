package dev.berth.model.api;

import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;

/// What a node has, what of it pods may use, and which features its kubelet declares.
public record NodeStatus(
        Map<String, Quantity> capacity,
        Map<String, Quantity> allocatable,
        List<String> declaredFeatures,
        List<Condition> conditions) {

    /// The feature of kubelets that leave out operations which devices do not need.
    public static final String OPTIONAL_OPERATIONS = "DRAOptionalNodeOperations";

    public static final NodeStatus EMPTY = new NodeStatus(Map.of(), Map.of(), List.of(), List.of());

    public NodeStatus {
        capacity = OrderedMap.copyOf(capacity);
        allocatable = OrderedMap.copyOf(allocatable);
        declaredFeatures = List.copyOf(declaredFeatures);
        conditions = List.copyOf(conditions);
    }

    /// Whether the kubelet can leave out what some devices need not have done for them.
    public boolean canSkipOperations() {
        return declaredFeatures.contains(OPTIONAL_OPERATIONS);
    }
}
