package dev.berth.drivers.pci;

/// How containers get a function.
enum PciFunctionMode {
    /// By VFIO.
    VFIO,
    /// By the files that its driver has made.
    NODES;

    @Override
    public String toString() {
        return this == VFIO ? "vfio" : "nodes";
    }
}
