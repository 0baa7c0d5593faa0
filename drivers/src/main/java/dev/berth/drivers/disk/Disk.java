package dev.berth.drivers.disk;

import java.nio.file.Path;

/// A disk as it is kept.
///
/// @param image the file
/// @param mount where its files are on this machine, if it is mounted
record Disk(Path image, Path mount, long size, DiskParameters wish) {}
