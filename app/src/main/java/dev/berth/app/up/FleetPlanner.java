package dev.berth.app.up;

import dev.berth.app.remote.SimulatorAnnotation;
import dev.berth.client.Cluster;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfile;
import dev.berth.drivers.sim.HardwareProfiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The simulated nodes of `berth up`: those of `--nodes`, or else those that the cluster has, or
/// the usual ones when it has never had any. The user's own profiles of which there are nodes are
/// kept in the data directory, so that the next start needs no `--profiles`.
final class FleetPlanner implements FleetSource {

    /// Where profiles are kept in the data directory.
    static final String KEPT = "profiles";

    static final String USUAL_NODES = "h100x8=2,a100-mig=1,cpu=2";

    private final Path kept;
    private final HardwareProfiles profiles;
    private final Optional<FleetPlan> asked;

    /// @param data the data directory
    /// @param own a directory of profiles that take precedence over others
    /// @param nodes the value of `--nodes`
    /// @throws dev.berth.drivers.sim.InvalidProfileException with what is wrong
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

    /// @throws dev.berth.drivers.sim.UnknownProfileException when there are nodes of an unknown
    ///   profile
    @Override
    public FleetPlan plan(Cluster cluster) {
        var plan = asked.orElseGet(() -> present(cluster));
        // Profiles first: there must be no node whose profile is not kept.
        HardwareProfiles.keep(plan, kept);
        SimulatorAnnotation.set(cluster);
        return plan;
    }

    /// A cluster whose nodes were all deleted has none; only a new cluster gets the usual ones.
    private FleetPlan present(Cluster cluster) {
        var present = FleetPlan.present(cluster, profiles);
        return present.isEmpty() && !SimulatorAnnotation.isSet(cluster)
                ? FleetPlan.parse(USUAL_NODES, profiles)
                : present;
    }

    @Override
    public void inUse(HardwareProfile profile) {
        HardwareProfiles.keep(List.of(profile), kept);
    }
}
