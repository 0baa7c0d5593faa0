package dev.berth.drivers.pci;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Binds PCI functions to drivers. Every step is idempotent.
///
/// Sets `driver_override`, so that no other driver binds the function meanwhile, and then triggers
/// `drivers_probe`.
final class PciDriverBinding {

    private static final String DEVICES = "bus/pci/devices";
    private static final String DRIVERS = "bus/pci/drivers";

    /// Writes to a sysfs file.
    interface SysfsWriter {
        void write(Path file, String text) throws IOException;
    }

    private final Sysfs sysfs;
    private final SysfsLinks links;
    private final SysfsWriter writer;

    PciDriverBinding(Sysfs sysfs, SysfsWriter writer) {
        this.sysfs = sysfs;
        this.links = new SysfsLinks(sysfs);
        this.writer = writer;
    }

    /// The `driver_override` of a function, usually empty.
    Optional<String> override(PciAddress address) {
        return sysfs.pciFile(address, "driver_override")
                .filter(text -> !text.isEmpty() && !text.equals("(null)"));
    }

    Optional<String> driver(PciAddress address) {
        return links.target(DEVICES + "/" + address + "/driver");
    }

    /// Binds a function to vfio-pci.
    void bindToVfio(PciAddress address) throws DeviceException, IOException {
        if (!Files.isDirectory(sysfs.root().resolve(DRIVERS).resolve(PciFunction.VFIO))) {
            throw new DeviceException(
                    "driver vfio-pci, required by %s, is not loaded; run: modprobe vfio-pci"
                            .formatted(address));
        }
        write(address, "driver_override", PciFunction.VFIO);
        rebind(address, Optional.of(PciFunction.VFIO));
    }

    /// Restores the original driver of a function.
    ///
    /// @param driver original driver, if it had one
    /// @param override original `driver_override`
    void restore(PciAddress address, Optional<String> driver, Optional<String> override)
            throws DeviceException, IOException {
        if (!Files.exists(sysfs.root().resolve(DEVICES).resolve(address.text()))) {
            return;
        }
        // The original driver may have been bound by hand, so probing alone might choose another.
        write(address, "driver_override", driver.orElse("\n"));
        rebind(address, driver);
        write(address, "driver_override", override.orElse("\n"));
    }

    private void rebind(PciAddress address, Optional<String> expected)
            throws DeviceException, IOException {
        var now = driver(address);
        if (now.equals(expected)) {
            return;
        }
        if (now.isPresent()) {
            write(address, "driver/unbind", address.text());
        }
        if (expected.isPresent()) {
            writer.write(sysfs.root().resolve("bus/pci/drivers_probe"), address.text());
        }
        if (!driver(address).equals(expected)) {
            throw new DeviceException(
                    "PCI function %s is bound to %s instead of %s; see the kernel messages with"
                                    .formatted(
                                            address,
                                            driver(address).orElse("no driver"),
                                            expected.orElse("none"))
                            + " dmesg");
        }
    }

    private void write(PciAddress address, String file, String text) throws IOException {
        writer.write(sysfs.root().resolve(DEVICES).resolve(address.text()).resolve(file), text);
    }
}
