/// Disks of any size, kept in files: `disk.berth.dev`.
///
/// A device is a directory for such files; a claim takes as much of its capacity as it asks for and
/// gets a disk of that size, which goes with the claim.
@NullMarked
package dev.berth.drivers.disk;

import org.jspecify.annotations.NullMarked;
