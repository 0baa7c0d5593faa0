package dev.berth.core.allocate;

/// Which of several possible allocations the search prefers. Feasibility is the same for all
/// orders.
public enum DeviceOrder {
    /// The allocation that Kubernetes chooses: the first in the order of pools, slices and devices.
    FIRST,
    /// The allocation with the least fragmentation: devices and partitions that leave as many as
    /// possible of the largest devices selected by a known class, shares of devices that are
    /// already shared, and otherwise the smallest device that fits.
    PACKED,
    /// Devices that share a PCIe root, or else a NUMA node, even without a `matchAttribute`
    /// constraint.
    ALIGNED
}
