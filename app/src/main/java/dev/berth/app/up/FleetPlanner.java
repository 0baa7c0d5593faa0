package dev.berth.app.up;

import dev.berth.client.Cluster;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.Profiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/// Says which simulated nodes there are to be: those that were asked for, or else those of the last
/// time. People's own profiles that nodes are made from are kept in the data directory, so that the
/// next start knows them without being told.
final class FleetPlanner implements Function<Cluster, FleetPlan> {

    /// Where profiles are kept in the data directory.
    static final String KEPT = "profiles";

    static final String USUAL_NODES = "h100x8=2,a100-mig=1,cpu=2";

    private final Path kept;
    private final Profiles profiles;
    private final Optional<FleetPlan> asked;

    /// @param data the data directory
    /// @param own a directory of profiles that go before others
    /// @param nodes those that were asked for
    /// @throws dev.berth.drivers.sim.BrokenProfile with what is wrong
    FleetPlanner(Path data, Optional<Path> own, Optional<String> nodes) {
        this.kept = data.resolve(KEPT);
        var known = Profiles.builtIn();
        var lasting = Files.isDirectory(kept) ? known.with(kept) : known;
        this.profiles = own.map(lasting::with).orElse(lasting);
        this.asked = nodes.map(text -> FleetPlan.parse(text, profiles));
    }

    Profiles profiles() {
        return profiles;
    }

    /// @throws dev.berth.drivers.sim.UnknownProfile when there are nodes of a profile that is not
    @Override
    public FleetPlan apply(Cluster cluster) {
        var plan = asked.orElseGet(() -> usual(cluster));
        // Before there are nodes, so that there are none of which the profile is not kept.
        Profiles.keep(plan, kept);
        return plan;
    }

    private FleetPlan usual(Cluster cluster) {
        var present = FleetPlan.present(cluster, profiles);
        return present.isEmpty() ? FleetPlan.parse(USUAL_NODES, profiles) : present;
    }
}
