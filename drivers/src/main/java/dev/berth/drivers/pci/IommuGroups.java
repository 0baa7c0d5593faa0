package dev.berth.drivers.pci;

import dev.berth.drivers.machine.DeviceException;
import java.util.List;

/// What VFIO needs of functions that the IOMMU cannot tell apart: the machine uses none of them.
final class IommuGroups {

    private IommuGroups() {}

    /// @param all functions of the machine
    /// @param chosen for the same claim
    static void check(
            PciFunction function, List<PciFunction> all, List<PublishedPciFunction> chosen)
            throws DeviceException {
        if (function.group().isEmpty()) {
            throw new DeviceException(
                    ("PCI function %s has no IOMMU group, without which VFIO cannot protect the"
                                    + " machine; switch the IOMMU on, or use nodes by rule")
                            .formatted(function.address()));
        }
        var inTheWay =
                all.stream()
                        .filter(one -> one.group().equals(function.group()))
                        .filter(one -> !one.address().equals(function.address()))
                        .filter(one -> !one.isBridge() && !one.isOfVfio())
                        .filter(one -> one.driver().isPresent())
                        .filter(one ->
                                chosen.stream()
                                        .noneMatch(offer ->
                                                offer.function().address().equals(one.address())))
                        .map(one -> one.address() + " (" + one.driver().orElse("") + ")")
                        .toList();
        if (!inTheWay.isEmpty()) {
            throw new DeviceException(
                    "PCI function %s shares IOMMU group %s with %s, which the machine uses"
                            .formatted(
                                    function.address(),
                                    function.group().get(),
                                    String.join(", ", inTheWay)));
        }
    }
}
