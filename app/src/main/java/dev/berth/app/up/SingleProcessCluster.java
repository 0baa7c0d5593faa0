package dev.berth.app.up;

import dev.berth.app.embedded.EmbeddedCluster;
import dev.berth.client.Cluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.schedule.AsyncEventRecorder;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FaultFile;
import dev.berth.drivers.sim.FleetOptions;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.SimulatedFleet;
import dev.berth.drivers.sim.StandardClasses;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.close.CloseStack;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.access.User;
import java.util.List;

/// API server, controllers, scheduler and simulated nodes in this process. Closing it stops all of
/// them in reverse order.
public final class SingleProcessCluster implements AutoCloseable {

    private static final String SCHEDULER = "berth-scheduler";

    private final ApiServer server;
    private final MetricsRegistry metrics;
    private final CloseStack parts = new CloseStack();
    private final FleetPlan plan;
    private final SimulatedFleet fleet;

    /// Starts the cluster.
    ///
    /// @param source decides on the nodes, given the existing ones
    public static SingleProcessCluster start(
            ServerSettings settings,
            SchedulerOptions scheduling,
            FleetSource source,
            FleetOptions options) {
        var server = ApiServer.start(settings);
        try {
            return new SingleProcessCluster(server, settings, scheduling, source, options);
        } catch (RuntimeException e) {
            try {
                server.close();
            } catch (RuntimeException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private SingleProcessCluster(
            ApiServer server,
            ServerSettings settings,
            SchedulerOptions scheduling,
            FleetSource source,
            FleetOptions options) {
        this.server = server;
        this.metrics = settings.metrics();
        parts.push(server);
        var cluster = cluster("berth-sim");
        this.plan = source.plan(cluster);
        StandardClasses.createFor(cluster, plan.counts().keySet());

        startControllers(settings);
        startScheduler(settings, scheduling);
        this.fleet = new SimulatedFleet(cluster, plan, source.profiles(), options);
        fleet.onNewProfile(profile -> {
            source.inUse(profile);
            StandardClasses.createFor(cluster, List.of(profile));
        });
        server.simulate(fleet::log);
        parts.push(fleet);
        fleet.start(settings.clock());
        parts.push(
                FaultFile.watch(settings.directory().resolve(FaultFile.NAME), fleet::applyFaults));
    }

    private void startControllers(ServerSettings settings) {
        var options =
                ControlPlane.Options.defaults(settings.gates()).withMetrics(settings.metrics());
        var controllers = new ControlPlane(ahead("berth-control"), settings.clock(), options);
        parts.push(controllers);
        controllers.start();
    }

    private void startScheduler(ServerSettings settings, SchedulerOptions options) {
        var cluster = ahead(SCHEDULER);
        var events = parts.push(new AsyncEventRecorder(cluster, SCHEDULER, settings.clock()));
        var measured = options.withMetrics(settings.metrics());
        var scheduler = parts.push(new Scheduler(cluster, settings.clock(), measured, events));
        scheduler.start();
    }

    /// A client of the server, closed with the cluster.
    ///
    /// @param name field manager of its writes
    public Cluster cluster(String name) {
        return added(new EmbeddedCluster(server, User.of(name, User.MASTERS), name));
    }

    /// A client whose user has no effect except writes through it.
    private Cluster ahead(String name) {
        return added(EmbeddedCluster.ahead(server, User.of(name, User.MASTERS), name));
    }

    private Cluster added(EmbeddedCluster cluster) {
        return parts.push(cluster);
    }

    public ApiServer server() {
        return server;
    }

    /// The metrics of everything in this process.
    public MetricsRegistry metrics() {
        return metrics;
    }

    public FleetPlan plan() {
        return plan;
    }

    /// The simulated nodes, to inject faults.
    public SimulatedFleet fleet() {
        return fleet;
    }

    @Override
    public void close() {
        parts.closeOrThrow("the cluster did not stop cleanly");
    }
}
