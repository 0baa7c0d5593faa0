package dev.berth.drivers.disk;

import dev.berth.model.quantity.Quantity;
import java.nio.file.Path;
import java.util.Optional;

/// A directory in which disks are kept.
///
/// @param name of the device
/// @param percent how much of the space that is free may be used
/// @param size fixed capacity instead of a share
record DiskDirectory(String name, Path directory, int percent, Optional<Quantity> size) {}
