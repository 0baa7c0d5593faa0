package dev.berth.core.schedule;

import dev.berth.core.allocate.SearchPolicy;
import java.util.Locale;

/// Placement policy: the order of nodes and of devices on a node.
public enum NodePolicy {
    /// As kube-scheduler: the best score of a sample of nodes, the first devices.
    KUBERNETES(SearchPolicy.KUBERNETES),
    /// The node with the fewest free devices, and the devices that leave the least unused.
    PACK(SearchPolicy.PACK),
    /// The node where the devices are closest together.
    ALIGNED(SearchPolicy.ALIGNED),
    /// The node with most free devices.
    SPREAD(SearchPolicy.KUBERNETES);

    private final SearchPolicy devices;

    NodePolicy(SearchPolicy devices) {
        this.devices = devices;
    }

    public SearchPolicy devices() {
        return devices;
    }

    /// The value of the command-line option.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
