package dev.berth.drivers.pci;

import dev.berth.drivers.machine.DerivedNames;
import dev.berth.drivers.machine.SysfsLinks;
import dev.berth.node.sysfs.PciAddress;
import dev.berth.node.sysfs.Sysfs;
import java.util.List;
import java.util.Optional;

/// A PCI function, read from sysfs.
///
/// @param vendor four hexadecimal digits, as `device`
/// @param classCode six hexadecimal digits
/// @param driver bound driver
/// @param group IOMMU group
/// @param physical physical function of a virtual one
record PciFunction(
        PciAddress address,
        String vendor,
        String device,
        String classCode,
        Optional<String> driver,
        Optional<String> group,
        Optional<PciAddress> physical,
        long totalVfs,
        long numVfs) {

    static final String VFIO = "vfio-pci";

    private static final String BRIDGE = "06";

    static List<PciFunction> all(Sysfs sysfs) {
        return sysfs.pciFunctions().stream().map(address -> of(sysfs, address)).toList();
    }

    private static PciFunction of(Sysfs sysfs, PciAddress address) {
        var links = new SysfsLinks(sysfs);
        var at = "bus/pci/devices/" + address;
        return new PciFunction(
                address,
                hex(sysfs, address, "vendor"),
                hex(sysfs, address, "device"),
                hex(sysfs, address, "class"),
                links.target(at + "/driver"),
                links.target(at + "/iommu_group"),
                links.target(at + "/physfn").flatMap(PciAddress::tryParse),
                number(sysfs, address, "sriov_totalvfs"),
                number(sysfs, address, "sriov_numvfs"));
    }

    private static String hex(Sysfs sysfs, PciAddress address, String file) {
        var text = sysfs.pciFile(address, file).orElse("");
        return text.startsWith("0x") ? text.substring(2) : text;
    }

    private static long number(Sysfs sysfs, PciAddress address, String file) {
        return sysfs.pciFile(address, file)
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    /// The device's name.
    String name() {
        return "pci-" + DerivedNames.label(address.text());
    }

    boolean isBridge() {
        return classCode.startsWith(BRIDGE);
    }

    boolean isVirtual() {
        return physical.isPresent();
    }

    boolean isBoundToVfio() {
        return driver.filter(VFIO::equals).isPresent();
    }

    PciFunction withDriver(Optional<String> newDriver) {
        return new PciFunction(
                address, vendor, device, classCode, newDriver, group, physical, totalVfs, numVfs);
    }
}
