/// Shared parts of the drivers for local devices: host commands, mounts and network state of the
/// machine, OCI hooks, and undo records of prepared claims.
@NullMarked
package dev.berth.drivers.machine;

import org.jspecify.annotations.NullMarked;
