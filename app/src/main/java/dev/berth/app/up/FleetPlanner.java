package dev.berth.app.up;

import dev.berth.app.remote.SimulatorAnnotation;
import dev.berth.client.Cluster;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.embedded.FleetSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The simulated nodes of `berth up`: those of `--nodes`, otherwise the existing ones, or the
/// default nodes of a new cluster. The user's own profiles in use are kept in the data directory,
/// so that the next start needs no `--profiles`.
final class FleetPlanner implements FleetSource {

    /// Directory of kept profiles in the data directory.
    static final String KEPT = "profiles";

    static final String USUAL_NODES = "h100x8=2,a100-mig=1,cpu=2";

    private final Path kept;
    private final HardwareProfiles profiles;
    private final Optional<FleetPlan> asked;

    /// Creates a planner.
    ///
    /// @param data the data directory
    /// @param own directory of profiles that take precedence
    /// @param nodes value of `--nodes`
    /// @throws dev.berth.drivers.sim.InvalidProfileException for an invalid profile
    FleetPlanner(Path data, Optional<Path> own, Optional<String> nodes) {
        this.kept = data.resolve(KEPT);
        var known = HardwareProfiles.builtIn();
        var lasting = Files.isDirectory(kept) ? known.with(kept) : known;
        this.profiles = own.map(lasting::with).orElse(lasting);
        this.asked = nodes.map(text -> FleetPlan.parse(text, profiles));
    }

    @Override
    public HardwareProfiles profiles() {
        return profiles;
    }

    /// Decides on the nodes.
    ///
    /// @throws dev.berth.drivers.sim.UnknownProfileException when existing nodes have an unknown
    ///   profile
    @Override
    public FleetPlan plan(Cluster cluster) {
        var plan = asked.orElseGet(() -> present(cluster));
        // Profiles first: every node must have a kept profile.
        HardwareProfiles.save(plan, kept);
        SimulatorAnnotation.set(cluster);
        return plan;
    }

    /// The existing nodes. Only a new cluster gets the default nodes, not one whose nodes were
    /// deleted.
    private FleetPlan present(Cluster cluster) {
        var present = FleetPlan.present(cluster, profiles);
        return present.isEmpty() && !SimulatorAnnotation.isSet(cluster)
                ? FleetPlan.parse(USUAL_NODES, profiles)
                : present;
    }

    @Override
    public void inUse(HardwareProfile profile) {
        HardwareProfiles.save(List.of(profile), kept);
    }
}
