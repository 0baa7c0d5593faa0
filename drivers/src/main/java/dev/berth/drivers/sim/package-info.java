/// Simulated hardware. [SimulatedFleet] simulates whole nodes: it registers them, publishes the
/// ResourceSlices of a [HardwareProfile] and reports the status of bound pods without running
/// anything. [SimulatedDrivers] runs DRA drivers for simulated devices on a real node. [FaultFile]
/// and [FaultReader] inject faults into both.
@NullMarked
package dev.berth.drivers.sim;

import org.jspecify.annotations.NullMarked;
