package dev.berth.drivers.pci;

import java.util.Optional;

/// A rule that publishes PCI functions.
///
/// @param classCode prefix of the class code, two to six hexadecimal digits
/// @param driver bound driver
/// @param virtual true for virtual functions only, false for all others
record PciRule(
        Optional<String> vendor,
        Optional<String> device,
        Optional<String> classCode,
        Optional<String> driver,
        Optional<Boolean> virtual,
        PciFunctionMode use) {

    boolean matches(PciFunction function) {
        return vendor.stream().allMatch(function.vendor()::equals)
                && device.stream().allMatch(function.device()::equals)
                && classCode.stream().allMatch(function.classCode()::startsWith)
                && driver.stream().allMatch(function.driver().orElse("")::equals)
                && virtual.stream().allMatch(one -> one == function.isVirtual());
    }
}
