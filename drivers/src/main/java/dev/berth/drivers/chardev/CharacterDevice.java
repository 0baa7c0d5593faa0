package dev.berth.drivers.chardev;

import dev.berth.node.sysfs.PciAddress;
import java.util.Optional;

/// A character device of the machine.
///
/// @param path path below `/dev`
/// @param hardware real path of its hardware below `/sys`
record CharacterDevice(
        String path,
        long major,
        long minor,
        Optional<String> hardware,
        Optional<PciAddress> pciFunction) {}
