package dev.berth.drivers.sim;

import java.time.Duration;

/// How a simulated fleet behaves.
///
/// @param heartbeat how often each node renews its lease
/// @param startDelay how long containers take to start
/// @param attachDelay how long a device takes to be attached to a node
/// @param reportsDevices whether drivers write the state of devices into claims
/// @param isAvoided whether nodes have a taint that makes the scheduler prefer other nodes
public record FleetOptions(
        Duration heartbeat,
        Duration startDelay,
        Duration attachDelay,
        boolean reportsDevices,
        boolean isAvoided) {

    public static FleetOptions defaults() {
        return new FleetOptions(
                Duration.ofSeconds(10), Duration.ZERO, Duration.ofSeconds(2), false, false);
    }

    public FleetOptions withHeartbeat(Duration interval) {
        return new FleetOptions(interval, startDelay, attachDelay, reportsDevices, isAvoided);
    }

    public FleetOptions withStartDelay(Duration delay) {
        return new FleetOptions(heartbeat, delay, attachDelay, reportsDevices, isAvoided);
    }

    public FleetOptions withAttachDelay(Duration delay) {
        return new FleetOptions(heartbeat, startDelay, delay, reportsDevices, isAvoided);
    }

    public FleetOptions withReports() {
        return new FleetOptions(heartbeat, startDelay, attachDelay, true, isAvoided);
    }

    /// Nodes that the scheduler avoids where it can: there are real ones beside them.
    public FleetOptions avoided() {
        return new FleetOptions(heartbeat, startDelay, attachDelay, reportsDevices, true);
    }
}
