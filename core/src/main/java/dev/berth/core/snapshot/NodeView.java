package dev.berth.core.snapshot;

import dev.berth.core.inventory.PoolView;
import dev.berth.core.ledger.Holdings;
import dev.berth.model.api.node.Node;
import dev.berth.model.api.pod.Pod;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One node of a snapshot: its object, the resources in use, and the pools that it can access.
///
/// Usage and pools are looked up once: filters, allocation and scores of one evaluation all read
/// them. A view belongs to one thread.
public final class NodeView {

    private final Node node;
    private final ClusterSnapshot snapshot;
    private @Nullable NodeUsage usage;
    private @Nullable List<PoolView> pools;

    public NodeView(Node node, ClusterSnapshot snapshot) {
        this.node = node;
        this.snapshot = snapshot;
    }

    public Node node() {
        return node;
    }

    public ClusterSnapshot snapshot() {
        return snapshot;
    }

    public String name() {
        return node.name();
    }

    /// Summed requests and host ports of the pods on the node.
    public NodeUsage usage() {
        var known = usage;
        if (known == null) {
            known = snapshot.usage().nodeUsage(name());
            usage = known;
        }
        return known;
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
        var known = pools;
        if (known == null) {
            known = snapshot.inventory().pools(node);
            pools = known;
        }
        return known;
    }

    /// The devices and shares of the node's pools that are in use.
    public Holdings holdings() {
        return snapshot.usage().holdings(pools());
    }

    /// True when devices that the node can access consume node-allocatable resources.
    public boolean hasNodeResourceDevices() {
        for (var view : pools()) {
            if (view.usesNodeResources()) {
                return true;
            }
        }
        return false;
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
