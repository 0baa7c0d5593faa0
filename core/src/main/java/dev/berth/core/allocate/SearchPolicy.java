package dev.berth.core.allocate;

import java.util.Locale;

/// Which of several possible allocations is preferred. What is possible is the same for all.
public enum SearchPolicy {
    /// The one that Kubernetes would choose: the first in the order of pools, slices and devices.
    KUBERNETES,
    /// The one that leaves least over: devices and partitions that leave as many of the largest
    /// possible that a known class asks for, shares of devices that are shared already, and
    /// otherwise the smallest device that will do.
    PACK,
    /// Devices that share a PCIe root, or else a NUMA node, even where the claims do not demand it.
    ALIGNED;

    /// As flags spell it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
