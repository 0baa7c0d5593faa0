package dev.berth.drivers.disk;

import java.nio.file.Path;

/// A file-backed disk.
///
/// @param image image file
/// @param mount mount point on the machine, if it is mounted
record Disk(Path image, Path mount, long size, DiskParameters parameters) {}
