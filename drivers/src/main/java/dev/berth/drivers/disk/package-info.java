/// Driver `disk.berth.dev`: file-backed disks of any size.
///
/// A device is a directory for image files. A claim consumes the requested part of its capacity and
/// gets a disk of that size, which is deleted with the claim.
@NullMarked
package dev.berth.drivers.disk;

import org.jspecify.annotations.NullMarked;
