package dev.berth.embedded;

import dev.berth.control.Controller;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.server.ServerSettings;
import dev.berth.server.StoreChoice;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// The components of an embedded cluster and their options.
///
/// @param server store, address, feature gates and clock
/// @param scheduler empty for no scheduler; its feature gates are those of the server
/// @param controllers the controllers that run
/// @param nodes decides on the simulated nodes; empty for no simulation
/// @param simulation options of simulated nodes
public record EmbeddedOptions(
        ServerSettings server,
        Optional<SchedulerOptions> scheduler,
        Set<Controller> controllers,
        Optional<FleetSource> nodes,
        FleetOptions simulation) {

    public EmbeddedOptions {
        controllers = Set.copyOf(controllers);
    }

    /// All components except simulated nodes.
    public static EmbeddedOptions of(ServerSettings server) {
        return new EmbeddedOptions(
                server,
                Optional.of(SchedulerOptions.defaults().withDefaultScheduler()),
                EnumSet.allOf(Controller.class),
                Optional.empty(),
                FleetOptions.defaults());
    }

    /// All components except simulated nodes, on a free port of the loopback address. Objects are
    /// kept in the directory.
    public static EmbeddedOptions in(Path directory) {
        return of(ServerSettings.in(directory).withAddress("127.0.0.1", 0));
    }

    /// All components except simulated nodes, on a free port of the loopback address. Objects are
    /// kept in memory, keys and the kubeconfig in the directory.
    public static EmbeddedOptions inMemory(Path directory) {
        var durable = in(directory);
        return durable.withServer(durable.server.withStore(new StoreChoice.Memory()));
    }

    public EmbeddedOptions withServer(ServerSettings changed) {
        return new EmbeddedOptions(changed, scheduler, controllers, nodes, simulation);
    }

    public EmbeddedOptions withScheduler(SchedulerOptions changed) {
        return new EmbeddedOptions(server, Optional.of(changed), controllers, nodes, simulation);
    }

    public EmbeddedOptions withoutScheduler() {
        return new EmbeddedOptions(server, Optional.empty(), controllers, nodes, simulation);
    }

    public EmbeddedOptions withControllers(Set<Controller> changed) {
        return new EmbeddedOptions(server, scheduler, changed, nodes, simulation);
    }

    /// With simulated nodes.
    ///
    /// @param counts number of nodes per hardware profile, such as `h100x8=2,cpu=1`
    /// @throws dev.berth.drivers.sim.InvalidProfileException for an unknown profile
    public EmbeddedOptions withNodes(String counts) {
        var plan = FleetPlan.parse(counts, HardwareProfiles.builtIn());
        return withNodes(_ -> plan);
    }

    public EmbeddedOptions withNodes(FleetSource changed) {
        return new EmbeddedOptions(
                server, scheduler, controllers, Optional.of(changed), simulation);
    }

    public EmbeddedOptions withSimulation(FleetOptions changed) {
        return new EmbeddedOptions(server, scheduler, controllers, nodes, changed);
    }
}
