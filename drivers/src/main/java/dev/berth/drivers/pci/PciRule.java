package dev.berth.drivers.pci;

import java.util.Optional;

/// Which functions are offered, and how.
///
/// @param classCode how the class begins, two to six hexadecimal digits
/// @param driver that has the function
/// @param virtual only virtual functions, or only others
record PciRule(
        Optional<String> vendor,
        Optional<String> device,
        Optional<String> classCode,
        Optional<String> driver,
        Optional<Boolean> virtual,
        PciFunctionMode use) {

    boolean fits(PciFunction function) {
        return vendor.stream().allMatch(function.vendor()::equals)
                && device.stream().allMatch(function.device()::equals)
                && classCode.stream().allMatch(function.classCode()::startsWith)
                && driver.stream().allMatch(function.driver().orElse("")::equals)
                && virtual.stream().allMatch(one -> one == function.isVirtual());
    }
}
