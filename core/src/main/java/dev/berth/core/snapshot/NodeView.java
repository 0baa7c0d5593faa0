package dev.berth.core.snapshot;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// One node of a snapshot: its object, the resources in use, and the pools that it can access.
public record NodeView(Node node, ClusterSnapshot snapshot) {

    public String name() {
        return node.name();
    }

    /// Summed requests and host ports of the pods on the node.
    public NodeUsage usage() {
        return snapshot.usage().nodeUsage(name());
    }

    /// Allocatable resources of the node, or its capacity. Empty for a node without either, such as
    /// a sketch in a file: then only devices are checked.
    public Map<String, Quantity> allocatable() {
        return node.status().allocatable().isEmpty()
                ? node.status().capacity()
                : node.status().allocatable();
    }

    /// The pools that the node can access, usable or not.
    public List<PoolView> pools() {
        return snapshot.inventory().pools(name());
    }

    /// The devices and shares of these pools that are in use.
    public Holdings holdings(List<PoolView> pools) {
        return snapshot.usage().holdings(pools);
    }

    /// The number of devices without a holder in the pools of the node.
    public long freeDevices() {
        return snapshot.usage().freeDevices(pools());
    }

    /// True when a pod on the node meets the condition.
    public boolean hasPod(Predicate<Pod> condition) {
        return snapshot.usage().hasPod(name(), condition);
    }
}
