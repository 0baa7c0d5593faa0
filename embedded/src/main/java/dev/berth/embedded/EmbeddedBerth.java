package dev.berth.embedded;

import dev.berth.client.Cluster;
import dev.berth.control.ControlPlane;
import dev.berth.control.schedule.AsyncEventRecorder;
import dev.berth.control.schedule.Scheduler;
import dev.berth.control.schedule.SchedulerOptions;
import dev.berth.drivers.sim.FaultFile;
import dev.berth.drivers.sim.FleetPlan;
import dev.berth.drivers.sim.HardwareProfiles;
import dev.berth.drivers.sim.SimulatedFleet;
import dev.berth.drivers.sim.StandardClasses;
import dev.berth.inprocess.EmbeddedCluster;
import dev.berth.metrics.MetricsRegistry;
import dev.berth.model.close.CloseStack;
import dev.berth.model.file.TemporaryDirectory;
import dev.berth.server.ApiServer;
import dev.berth.server.ServerSettings;
import dev.berth.server.access.User;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A cluster in this process: API server, controllers, scheduler and simulated nodes. Closing it
/// stops all of them in reverse order.
public final class EmbeddedBerth implements AutoCloseable {

    private static final String SCHEDULER = "berth-scheduler";
    private static final FleetPlan NO_NODES = FleetPlan.of(Map.of());

    private final CloseStack parts;
    private final MetricsRegistry metrics;
    private final ApiServer server;
    private final Optional<Scheduler> scheduler;
    private final FleetPlan plan;
    private final Optional<SimulatedFleet> fleet;

    /// Starts a cluster in memory, with all components. Its files are temporary.
    ///
    /// @param nodes number of simulated nodes per hardware profile, such as `h100x8=2,cpu=1`
    /// @throws dev.berth.drivers.sim.InvalidProfileException for an unknown profile
    public static EmbeddedBerth start(String nodes) {
        var plan = FleetPlan.parse(nodes, HardwareProfiles.builtIn());
        var parts = new CloseStack();
        var directory = parts.push(TemporaryDirectory.create("berth-embedded"));
        return start(EmbeddedOptions.inMemory(directory.path()).withNodes(_ -> plan), parts);
    }

    /// Starts a cluster and returns when its API server accepts requests.
    public static EmbeddedBerth start(EmbeddedOptions options) {
        return start(options, new CloseStack());
    }

    private static EmbeddedBerth start(EmbeddedOptions options, CloseStack parts) {
        try {
            return new EmbeddedBerth(options, parts);
        } catch (RuntimeException e) {
            parts.close(e::addSuppressed);
            throw e;
        }
    }

    private EmbeddedBerth(EmbeddedOptions options, CloseStack parts) {
        this.parts = parts;
        var settings = options.server();
        this.metrics = settings.metrics();
        this.server = parts.push(ApiServer.start(settings));
        var simulator = options.nodes().map(_ -> cluster("berth-sim"));
        this.plan =
                simulator
                        .map(cluster -> options.nodes().orElseThrow().plan(cluster))
                        .orElse(NO_NODES);
        simulator.ifPresent(cluster -> StandardClasses.createFor(cluster, plan.counts().keySet()));
        startControllers(options);
        this.scheduler = options.scheduler().map(one -> startScheduler(settings, one));
        this.fleet = simulator.map(cluster -> startFleet(cluster, options));
    }

    private void startControllers(EmbeddedOptions options) {
        var settings = options.server();
        var control =
                ControlPlane.Options.defaults(settings.gates())
                        .with(options.controllers())
                        .withMetrics(settings.metrics());
        var controllers = new ControlPlane(ahead("berth-control"), settings.clock(), control);
        parts.push(controllers);
        controllers.start();
    }

    private Scheduler startScheduler(ServerSettings settings, SchedulerOptions options) {
        var cluster = ahead(SCHEDULER);
        var events = parts.push(new AsyncEventRecorder(cluster, SCHEDULER, settings.clock()));
        var measured = options.withGates(settings.gates()).withMetrics(settings.metrics());
        var started = parts.push(new Scheduler(cluster, settings.clock(), measured, events));
        started.start();
        return started;
    }

    private SimulatedFleet startFleet(Cluster cluster, EmbeddedOptions options) {
        var source = options.nodes().orElseThrow();
        var settings = options.server();
        var started = new SimulatedFleet(cluster, plan, source.profiles(), options.simulation());
        started.onNewProfile(profile -> {
            source.inUse(profile);
            StandardClasses.createFor(cluster, List.of(profile));
        });
        server.simulate(started::log);
        parts.push(started);
        started.start(settings.clock());
        var faults = settings.directory().resolve(FaultFile.NAME);
        parts.push(FaultFile.watch(faults, started::applyFaults));
        return started;
    }

    /// Waits until all simulated nodes are ready and their devices are published.
    ///
    /// @throws IllegalStateException with what is missing after the timeout
    public void awaitReady(Duration timeout) throws InterruptedException {
        try (var readiness = new FleetReadiness(cluster("berth-embedded"), plan)) {
            if (!readiness.awaitReady(timeout, _ -> {})) {
                throw new IllegalStateException(
                        "the cluster is not ready after %d s: %s"
                                .formatted(timeout.toSeconds(), readiness.missing(true)));
            }
        }
    }

    /// A client of the server as a cluster administrator, closed with the cluster.
    ///
    /// @param name user, and field manager of its writes
    public Cluster cluster(String name) {
        return parts.push(new EmbeddedCluster(server, User.of(name, User.MASTERS), name));
    }

    /// The metrics of everything in this cluster.
    public MetricsRegistry metrics() {
        return metrics;
    }

    /// A client whose user has no effect except writes through it.
    private Cluster ahead(String name) {
        return parts.push(EmbeddedCluster.ahead(server, User.of(name, User.MASTERS), name));
    }

    /// The URL of the API server.
    public URI uri() {
        return server.uri();
    }

    /// The kubeconfig of an administrator, for kubectl and other clients.
    public Path kubeconfig() {
        return server.kubeconfig();
    }

    public ApiServer server() {
        return server;
    }

    public Optional<Scheduler> scheduler() {
        return scheduler;
    }

    /// The simulated nodes at the start.
    public FleetPlan plan() {
        return plan;
    }

    /// The simulated nodes, to inject faults; empty without simulation.
    public Optional<SimulatedFleet> fleet() {
        return fleet;
    }

    @Override
    public void close() {
        parts.closeOrThrow("the cluster did not stop cleanly");
    }
}
