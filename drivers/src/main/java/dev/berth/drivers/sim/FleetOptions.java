package dev.berth.drivers.sim;

import java.time.Duration;

/// Options of a simulated fleet.
///
/// @param heartbeat interval in which each node renews its Lease
/// @param startDelay start time of containers
/// @param attachDelay time to attach a device to a node
/// @param preferNoSchedule whether nodes have a PreferNoSchedule taint
public record FleetOptions(
        Duration heartbeat, Duration startDelay, Duration attachDelay, boolean preferNoSchedule) {

    public static FleetOptions defaults() {
        return new FleetOptions(
                Duration.ofSeconds(10), Duration.ZERO, Duration.ofSeconds(2), false);
    }

    public FleetOptions withHeartbeat(Duration interval) {
        return new FleetOptions(interval, startDelay, attachDelay, preferNoSchedule);
    }

    public FleetOptions withStartDelay(Duration delay) {
        return new FleetOptions(heartbeat, delay, attachDelay, preferNoSchedule);
    }

    public FleetOptions withAttachDelay(Duration delay) {
        return new FleetOptions(heartbeat, startDelay, delay, preferNoSchedule);
    }

    /// With a PreferNoSchedule taint on the nodes, for clusters that also have real nodes.
    public FleetOptions withPreferNoSchedule() {
        return new FleetOptions(heartbeat, startDelay, attachDelay, true);
    }
}
