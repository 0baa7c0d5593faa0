package dev.berth.drivers.local;

import dev.berth.drivers.chardev.ChardevConfig;
import dev.berth.drivers.chardev.ChardevDriver;
import dev.berth.drivers.cpu.CpuConfig;
import dev.berth.drivers.cpu.CpuDriver;
import dev.berth.drivers.disk.DiskConfig;
import dev.berth.drivers.disk.DiskDriver;
import dev.berth.drivers.nic.NicConfig;
import dev.berth.drivers.nic.NicDriver;
import dev.berth.drivers.pci.PciConfig;
import dev.berth.drivers.pci.PciDriver;
import java.util.List;
import java.util.Optional;

/// The drivers that there are for devices of this machine.
public final class LocalDrivers {

    private static final List<LocalDriver<?>> ALL =
            List.of(
                    new LocalDriver<>(
                            "cpu",
                            CpuDriver.NAME,
                            "exclusive processor cores",
                            CpuConfig.parameters(),
                            CpuConfig.USUAL,
                            CpuDriver::new),
                    new LocalDriver<>(
                            "disk",
                            DiskDriver.NAME,
                            "disks of any size, kept in files",
                            DiskConfig.parameters(),
                            DiskConfig.USUAL,
                            DiskDriver::new),
                    new LocalDriver<>(
                            "nic",
                            NicDriver.NAME,
                            "network interfaces, moved or made",
                            NicConfig.parameters(),
                            NicConfig.USUAL,
                            NicDriver::new),
                    new LocalDriver<>(
                            "chardev",
                            ChardevDriver.NAME,
                            "character devices such as /dev/kvm",
                            ChardevConfig.parameters(),
                            ChardevConfig.USUAL,
                            (machine, config, _) -> new ChardevDriver(machine, config)),
                    new LocalDriver<>(
                            "pci",
                            PciDriver.NAME,
                            "PCI functions, also by VFIO",
                            PciConfig.parameters(),
                            PciConfig.USUAL,
                            PciDriver::new));

    private LocalDrivers() {}

    /// All of them, in the order in which people want to see them.
    public static List<LocalDriver<?>> all() {
        return ALL;
    }

    /// The driver of a name.
    ///
    /// @param name a short one such as `cpu`, or that of the driver such as `cpu.berth.dev`
    public static Optional<LocalDriver<?>> find(String name) {
        return ALL.stream()
                .filter(one -> one.name().equals(name) || one.driver().equals(name))
                .findFirst();
    }

    public static List<String> names() {
        return ALL.stream().map(LocalDriver::name).toList();
    }
}
