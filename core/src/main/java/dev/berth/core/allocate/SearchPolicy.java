package dev.berth.core.allocate;

import java.util.Locale;

/// Which of several possible allocations the search prefers. Feasibility is the same for all
/// policies.
public enum SearchPolicy {
    /// The allocation that Kubernetes chooses: the first in the order of pools, slices and devices.
    KUBERNETES,
    /// The allocation with the least fragmentation: devices and partitions that leave as many as
    /// possible of the largest devices selected by a known class, shares of devices that are
    /// already shared, and otherwise the smallest device that fits.
    PACK,
    /// Devices that share a PCIe root, or else a NUMA node, even without a `matchAttribute`
    /// constraint.
    ALIGNED;

    /// The spelling in command-line flags.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
