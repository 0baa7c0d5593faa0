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

/// Registry of the drivers for local devices.
public final class LocalDrivers {

    private static final List<LocalDriver<?>> ALL =
            List.of(
                    new LocalDriver<>(
                            "cpu",
                            CpuDriver.NAME,
                            "exclusive processor cores",
                            CpuConfig.parameters(),
                            CpuConfig.DEFAULTS,
                            CpuDriver::new),
                    new LocalDriver<>(
                            "disk",
                            DiskDriver.NAME,
                            "file-backed disks of any size",
                            DiskConfig.parameters(),
                            DiskConfig.DEFAULTS,
                            DiskDriver::new),
                    new LocalDriver<>(
                            "nic",
                            NicDriver.NAME,
                            "network interfaces: moved into pods, or created for them",
                            NicConfig.parameters(),
                            NicConfig.DEFAULTS,
                            NicDriver::new),
                    new LocalDriver<>(
                            "chardev",
                            ChardevDriver.NAME,
                            "character devices such as /dev/kvm",
                            ChardevConfig.parameters(),
                            ChardevConfig.DEFAULTS,
                            (machine, config, _) -> new ChardevDriver(machine, config)),
                    new LocalDriver<>(
                            "pci",
                            PciDriver.NAME,
                            "PCI functions, as device files or through VFIO",
                            PciConfig.parameters(),
                            PciConfig.DEFAULTS,
                            PciDriver::new));

    private LocalDrivers() {}

    /// All drivers, in display order.
    public static List<LocalDriver<?>> all() {
        return ALL;
    }

    /// Finds a driver by name.
    ///
    /// @param name short name such as `cpu`, or full name such as `cpu.berth.dev`
    public static Optional<LocalDriver<?>> find(String name) {
        return ALL.stream()
                .filter(one -> one.name().equals(name) || one.driver().equals(name))
                .findFirst();
    }

    public static List<String> names() {
        return ALL.stream().map(LocalDriver::name).toList();
    }
}
