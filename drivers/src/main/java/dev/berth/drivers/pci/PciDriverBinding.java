package dev.berth.drivers.pci;

import dev.berth.drivers.machine.DeviceException;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Lets drivers have functions; each step may have been done before.
///
/// A driver's wish is written to `driver_override`, so that nobody else takes the function in
/// between, and then the kernel is asked to find a driver.
final class PciDriverBinding {

    private static final String DEVICES = "bus/pci/devices";
    private static final String DRIVERS = "bus/pci/drivers";

    /// Writes a word to a file of the kernel's.
    interface Pen {
        void write(Path file, String text) throws IOException;
    }

    private final Sysfs sysfs;
    private final SysfsLinks links;
    private final Pen pen;

    PciDriverBinding(Sysfs sysfs, Pen pen) {
        this.sysfs = sysfs;
        this.links = new SysfsLinks(sysfs);
        this.pen = pen;
    }

    /// What a function wants by `driver_override`, usually nothing.
    Optional<String> override(PciAddress address) {
        return sysfs.pciFile(address, "driver_override")
                .filter(text -> !text.isEmpty() && !text.equals("(null)"));
    }

    Optional<String> driver(PciAddress address) {
        return links.target(DEVICES + "/" + address + "/driver");
    }

    /// Gives a function to VFIO.
    void toVfio(PciAddress address) throws DeviceException, IOException {
        if (!Files.isDirectory(sysfs.root().resolve(DRIVERS).resolve(PciFunction.VFIO))) {
            throw new DeviceException(
                    "there is no driver vfio-pci, which %s needs; run: modprobe vfio-pci"
                            .formatted(address));
        }
        write(address, "driver_override", PciFunction.VFIO);
        rebind(address, Optional.of(PciFunction.VFIO));
    }

    /// Gives a function back.
    ///
    /// @param driver that had it, if any had
    /// @param override that it had
    void back(PciAddress address, Optional<String> driver, Optional<String> override)
            throws DeviceException, IOException {
        if (!Files.exists(sysfs.root().resolve(DEVICES).resolve(address.text()))) {
            return;
        }
        // A driver that was bound by hand is not the one that the kernel would choose.
        write(address, "driver_override", driver.orElse("\n"));
        rebind(address, driver);
        write(address, "driver_override", override.orElse("\n"));
    }

    private void rebind(PciAddress address, Optional<String> wanted)
            throws DeviceException, IOException {
        var now = driver(address);
        if (now.equals(wanted)) {
            return;
        }
        if (now.isPresent()) {
            write(address, "driver/unbind", address.text());
        }
        if (wanted.isPresent()) {
            pen.write(sysfs.root().resolve("bus/pci/drivers_probe"), address.text());
        }
        if (!driver(address).equals(wanted)) {
            throw new DeviceException(
                    "PCI function %s is with %s, not with %s; what the kernel says about it is in"
                                    .formatted(
                                            address,
                                            driver(address).orElse("no driver"),
                                            wanted.orElse("none"))
                            + " dmesg");
        }
    }

    private void write(PciAddress address, String file, String text) throws IOException {
        pen.write(sysfs.root().resolve(DEVICES).resolve(address.text()).resolve(file), text);
    }
}
