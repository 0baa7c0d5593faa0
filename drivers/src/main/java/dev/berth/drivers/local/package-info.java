/// Registry and runner of the drivers for local devices of the machine. [LocalDrivers] lists them;
/// [RunningDriver] publishes their devices and serves the kubelet.
@NullMarked
package dev.berth.drivers.local;

import org.jspecify.annotations.NullMarked;
