package dev.berth.drivers.pci;

/// How containers access a function.
enum PciFunctionMode {
    /// Through VFIO.
    VFIO,
    /// Through the device files of its kernel driver.
    NODES;

    @Override
    public String toString() {
        return this == VFIO ? "vfio" : "nodes";
    }
}
