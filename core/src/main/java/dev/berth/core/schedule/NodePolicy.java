package dev.berth.core.schedule;

import dev.berth.core.allocate.SearchPolicy;
import java.util.Locale;

/// Which of several nodes a pod goes to, and which of several devices it gets there.
public enum NodePolicy {
    /// As Kubernetes chooses: the emptier node of a sample, the first devices.
    KUBERNETES(SearchPolicy.KUBERNETES),
    /// The node with fewest free devices, and the devices that leave least over.
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

    /// As flags spell it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
