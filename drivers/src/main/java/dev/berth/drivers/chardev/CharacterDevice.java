package dev.berth.drivers.chardev;

import dev.berth.node.sysfs.PciAddress;
import java.util.Optional;

/// A character device as a machine has it.
///
/// @param path below `/dev`
/// @param hardware of which it is a part, under `/sys`
record CharacterDevice(
        String path,
        long major,
        long minor,
        Optional<String> hardware,
        Optional<PciAddress> pciFunction) {}
