package dev.berth.drivers.pci;

import dev.berth.drivers.machine.DeviceException;
import java.util.List;

/// Checks IOMMU groups: VFIO requires that the machine uses no other function of the group.
final class IommuGroups {

    private IommuGroups() {}

    /// @param all all functions of the machine
    /// @param chosen functions allocated to the same claim
    static void check(
            PciFunction function, List<PciFunction> all, List<PublishedPciFunction> chosen)
            throws DeviceException {
        if (function.group().isEmpty()) {
            throw new DeviceException(
                    ("PCI function %s has no IOMMU group, which VFIO requires to protect the"
                                    + " machine; enable the IOMMU, or set"
                                    + " \"use: nodes\" in the rule")
                            .formatted(function.address()));
        }
        var conflicting =
                all.stream()
                        .filter(one -> one.group().equals(function.group()))
                        .filter(one -> !one.address().equals(function.address()))
                        .filter(one -> !one.isBridge() && !one.isBoundToVfio())
                        .filter(one -> one.driver().isPresent())
                        .filter(one ->
                                chosen.stream()
                                        .noneMatch(published ->
                                                published
                                                        .function()
                                                        .address()
                                                        .equals(one.address())))
                        .map(one -> one.address() + " (" + one.driver().orElse("") + ")")
                        .toList();
        if (!conflicting.isEmpty()) {
            throw new DeviceException(
                    "PCI function %s shares IOMMU group %s with %s, which the machine uses"
                            .formatted(
                                    function.address(),
                                    function.group().get(),
                                    String.join(", ", conflicting)));
        }
    }
}
