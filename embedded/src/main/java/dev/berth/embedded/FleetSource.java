package dev.berth.embedded;

import dev.berth.client.Cluster;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;

/// Decides on the simulated nodes with which a cluster starts.
@FunctionalInterface
public interface FleetSource {

    /// The nodes to start with; other simulated nodes are deleted.
    FleetPlan plan(Cluster cluster);

    /// The profiles of nodes that are added while the cluster runs.
    default HardwareProfiles profiles() {
        return HardwareProfiles.builtIn();
    }

    /// Called before the first node with a profile outside of the plan is registered.
    default void inUse(HardwareProfile profile) {}
}
