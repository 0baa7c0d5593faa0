package dev.berth.drivers.disk;

import dev.berth.model.quantity.Quantity;
import java.nio.file.Path;
import java.util.Optional;

/// A directory for disk images.
///
/// @param name device name
/// @param percent usable percentage of the free space
/// @param size fixed capacity instead of a percentage
record DiskDirectory(String name, Path directory, int percent, Optional<Quantity> size) {}
